import { SignedXml } from 'xml-crypto'

/** Signed with HMAC and a public value: a verifier that uses its public key as a shared secret accepts it. */
export const hmacSigned = (xml: string, id: string, secret: string): string =>
  signedBy('http://www.w3.org/2000/09/xmldsig#hmac-sha1', { xml, id, key: secret })

/** Signed with RSA-PSS and SHA-256. */
export const pssSigned = (xml: string, id: string, privateKey: string): string =>
  signedBy('http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', { xml, id, key: privateKey })

function signedBy(signatureAlgorithm: string, { xml, id, key }: { xml: string; id: string; key: string }): string {
  const signed = new SignedXml({
    privateKey: key,
    signatureAlgorithm,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  if (signatureAlgorithm.includes('hmac')) signed.enableHMAC()
  signed.addReference({
    xpath: `//*[@ID='${id}']`,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  })
  const issuer = `//*[@ID='${id}']/*[local-name()='Issuer']`
  signed.computeSignature(xml, { prefix: 'ds', location: { reference: issuer, action: 'after' } })
  return signed.getSignedXml()
}
