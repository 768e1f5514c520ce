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
  /** AES-CBC is taken too. */
  cbcAllowed: boolean
}

/** Creates our service provider metadata (SAML Metadata, 2.4.4). */
export const createMetadataXml = ({ entityId, acsUrl, certificates, ...of }: Metadata): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
${
  xml`<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:SPSSODescriptor AuthnRequestsSigned="${String(of.authnRequestsSigned)}" WantAssertionsSigned="${String(of.wantAssertionsSigned)}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${certificates.map((certificate) => keyDescriptor('signing', certificate))}${
  of.encryptionCertificate && keyDescriptor('encryption', of.encryptionCertificate, encryptionMethods(of.cbcAllowed))
}${
  of.sloUrl &&
  xml`    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${of.sloUrl}"/>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${of.sloUrl}"/>
`
}    <md:AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${acsUrl}"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>`.html
}
`

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
