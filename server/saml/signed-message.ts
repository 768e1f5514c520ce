import type { KeyObject } from 'node:crypto'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Where the schema has the signature: after the issuer of a message, or first in metadata. */
const places = {
  afterIssuer: { reference: "/*/*[local-name()='Issuer']", action: 'after' },
  first: { reference: '/*', action: 'prepend' },
} as const

/** Signs a document in itself, over its root, by RSA with SHA-256. */
export async function signXml(xml: string, key: KeyObject, place: keyof typeof places): Promise<string> {
  const { SignedXml } = await import('xml-crypto')
  const signing = new SignedXml({
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: exclusive,
    idAttribute: 'ID',
  })
  signing.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
  })
  signing.computeSignature(xml, { prefix: 'ds', location: places[place] })
  return signing.getSignedXml()
}
