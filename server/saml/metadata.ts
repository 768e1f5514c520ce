import { html as xml } from '#server/platform/html.ts'

interface Metadata {
  entityId: string
  acsUrl: string
  /** Certificates of our signing keys, DER in base64; empty where requests are not signed. */
  certificates: readonly string[]
  wantAssertionsSigned: boolean
}

/** Creates our service provider metadata (SAML Metadata, 2.4.4). */
export const createMetadataXml = ({ entityId, acsUrl, certificates, wantAssertionsSigned }: Metadata): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
${
  xml`<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:SPSSODescriptor AuthnRequestsSigned="${String(certificates.length > 0)}" WantAssertionsSigned="${String(wantAssertionsSigned)}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${certificates.map(
  (certificate) => xml`    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
        <ds:X509Data>
          <ds:X509Certificate>${certificate}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>
`,
)}    <md:AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${acsUrl}"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>`.html
}
`
