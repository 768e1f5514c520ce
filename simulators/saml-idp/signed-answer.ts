import { type BinaryLike, createHash, createPrivateKey, createSign, type KeyLike } from 'node:crypto'
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto'
import { type Answer, namespaces, responseXml } from './answer.ts'

/** The signing key and certificate, in PEM. */
export interface SigningKey {
  privateKey: string
  certificate: string
}

export type Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

const digests: Record<Hash, string> = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

/** Signs the element with this ID. The signature follows the issuer, as the schema requires. */
export function sign(
  xml: string,
  id: string,
  key: SigningKey,
  signature: Hash = 'sha256',
  digest = signature,
  canonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#',
): string {
  const element = `//*[@ID='${id}']`
  const ec = createPrivateKey(key.privateKey).asymmetricKeyType === 'ec'
  const space = signature === 'sha1' ? namespaces.signature : 'http://www.w3.org/2001/04/xmldsig-more#'
  const signatureAlgorithm = `${space}${ec ? 'ecdsa' : 'rsa'}-${signature}`
  const signed = new SignedXml({
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm,
    canonicalizationAlgorithm: canonicalization,
  })
  // The library does not support all of them.
  signed.SignatureAlgorithms[signatureAlgorithm] = signer(signatureAlgorithm, signature)
  signed.HashAlgorithms[digests[digest]] = hasher(digests[digest], digest)
  signed.addReference({
    xpath: element,
    digestAlgorithm: digests[digest],
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalization],
  })
  signed.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${element}/*[local-name()='Issuer']`, action: 'after' },
  })
  return signed.getSignedXml()
}

function signer(name: string, hash: Hash): new () => SignatureAlgorithm {
  return class {
    getAlgorithmName = () => name
    // ECDSA signatures are the concatenation of two numbers (RFC 4050, 3.3). The option does not affect RSA.
    getSignature = (text: BinaryLike, key: KeyLike) =>
      createSign(hash)
        .update(text)
        .sign({ key: createPrivateKey(key as string), dsaEncoding: 'ieee-p1363' }, 'base64')
    verifySignature = () => false
  }
}

function hasher(name: string, hash: Hash): new () => HashAlgorithm {
  return class {
    getAlgorithmName = () => name
    getHash = (text: string) => createHash(hash).update(text).digest('base64')
  }
}

interface Signing {
  key: SigningKey
  assertion?: boolean
  response?: boolean
}

/** The signed response. The assertion is signed first, because the response's signature covers it. */
export function signedAnswer(answer: Answer, { key, assertion = false, response = false }: Signing): string {
  const xml = responseXml(answer)
  const inside = assertion ? sign(xml, answer.assertionId, key) : xml
  return response ? sign(inside, answer.responseId, key) : inside
}
