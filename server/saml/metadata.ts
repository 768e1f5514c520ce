import { type Html, html as xml } from '#server/platform/html.ts'

interface Metadata {
  entityId: string
  acsUrl: string
  /** Where sign-outs go; undefined without single logout. */
  sloUrl: string | undefined
  /** Certificates of our signing keys, DER in base64; empty where nothing is signed. */
  certificates: readonly string[]
  authnRequestsSigned: boolean
  /** That of our newest decryption key; undefined where encryption is not offered. */
  encryptionCertificate: string | undefined
  wantAssertionsSigned: boolean
  operator: Operator
  /** Of a signed document; undefined: it does not end. */
  validUntil?: Date | undefined
  /** AES-CBC is taken too. */
  cbcAllowed: boolean
}

/** Who runs the portal, for people who see it at their identity provider. */
export interface Operator {
  companyName: string
  supportEmail: string
  supportPhone: string | undefined
  baseUrl: string
  privacyUrl: string
}

/** Creates our service provider metadata (SAML Metadata, 2.4.4). */
export const createMetadataXml = ({ entityId, acsUrl, certificates, ...of }: Metadata): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
${
  xml`<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"${of.validUntil && xml` ID="_${of.validUntil.getTime()}" validUntil="${of.validUntil.toISOString()}"`}>
  <md:SPSSODescriptor AuthnRequestsSigned="${String(of.authnRequestsSigned)}" WantAssertionsSigned="${String(of.wantAssertionsSigned)}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${uiInfo(of.operator)}${certificates.map((certificate) => keyDescriptor('signing', certificate))}${
  of.encryptionCertificate && keyDescriptor('encryption', of.encryptionCertificate, encryptionMethods(of.cbcAllowed))
}${
  of.sloUrl &&
  xml`    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${of.sloUrl}"/>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${of.sloUrl}"/>
`
}    <md:AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${acsUrl}"/>
  </md:SPSSODescriptor>
${organization(of.operator)}</md:EntityDescriptor>`.html
}
`

/** Names are the same in both languages. */
const inLanguages = (name: string, text: string, indent: string) =>
  ['sv', 'en'].map(
    (language) => xml`${indent}<${raw(name)} xml:lang="${language}">${text}</${raw(name)}>
`,
  )
const raw = (name: string): Html => ({ html: name })

/** How identity providers show the portal (SAML Metadata Extensions for Login and Discovery User Interface). */
const uiInfo = ({ companyName, baseUrl, privacyUrl }: Operator) => xml`    <md:Extensions>
      <mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui">
${inLanguages('mdui:DisplayName', companyName, '        ')}${inLanguages('mdui:InformationURL', baseUrl, '        ')}${inLanguages('mdui:PrivacyStatementURL', privacyUrl, '        ')}        <mdui:Logo height="64" width="64">${baseUrl}/favicon.svg</mdui:Logo>
      </mdui:UIInfo>
    </md:Extensions>
`

const organization = ({ companyName, baseUrl, supportEmail, supportPhone }: Operator) => xml`  <md:Organization>
${inLanguages('md:OrganizationName', companyName, '    ')}${inLanguages('md:OrganizationDisplayName', companyName, '    ')}${inLanguages('md:OrganizationURL', baseUrl, '    ')}  </md:Organization>
${['technical', 'support'].map(
  (type) => xml`  <md:ContactPerson contactType="${type}">
    <md:Company>${companyName}</md:Company>
    <md:EmailAddress>mailto:${supportEmail}</md:EmailAddress>
${
  supportPhone &&
  xml`    <md:TelephoneNumber>${supportPhone}</md:TelephoneNumber>
`
}  </md:ContactPerson>
`,
)}`

const keyDescriptor = (
  use: 'signing' | 'encryption',
  certificate: string,
  methods?: Html,
) => xml`    <md:KeyDescriptor use="${use}">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
        <ds:X509Data>
          <ds:X509Certificate>${certificate}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
${methods}    </md:KeyDescriptor>
`

/**
 * What `decrypt-assertion.ts` takes, the better one first. RSA-OAEP with SHA-256 is not named: its `MGF` is of a schema that
 * validators, such as SimpleSAMLphp's, do not have.
 */
const encryptionMethods = (
  cbc: boolean,
) => xml`      <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>
      <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>
${cbc && cbcMethods}      <md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p">
        <ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/>
      </md:EncryptionMethod>
`

const cbcMethods = [256, 192, 128].map(
  (bits) => xml`      <md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes${bits}-cbc"/>
`,
)
