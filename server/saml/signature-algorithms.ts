import { constants, createHash, type KeyObject, verify } from 'node:crypto'
import type { HashAlgorithm, SignatureAlgorithm, SignedXml } from 'xml-crypto'

type Hash = 'sha256' | 'sha384' | 'sha512'

interface Method {
  hash: Hash
  key: 'rsa' | 'ec'
  how: { padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' }
}

const hashes = ['sha256', 'sha384', 'sha512'] as const
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }

/** Allowed signature algorithms, by URI (RFC 9231). */
export const signatureMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...hashes.map((hash): [string, Method] => [`${more}rsa-${hash}`, { hash, key: 'rsa', how: {} }]),
  // XML signatures concatenate the two numbers of an ECDSA signature.
  ...hashes.map((hash): [string, Method] => [
    `${more}ecdsa-${hash}`,
    { hash, key: 'ec', how: { dsaEncoding: 'ieee-p1363' } },
  ]),
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', { hash: 'sha256', key: 'rsa', how: pss }],
])

/** Allowed digest algorithms, by URI. */
export const digestMethods: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

/** Replaces the library's algorithms, which include SHA-1 but neither SHA-384 nor elliptic curves. */
export const algorithms: Pick<SignedXml, 'SignatureAlgorithms' | 'HashAlgorithms'> = {
  SignatureAlgorithms: Object.fromEntries(
    [...signatureMethods].map(([name, method]) => [name, verifier(name, method)]),
  ),
  HashAlgorithms: Object.fromEntries([...digestMethods].map(([name, hash]) => [name, hasher(name, hash)])),
}

function verifier(name: string, { hash, key, how }: Method): new () => SignatureAlgorithm {
  return constructorOf({
    getAlgorithmName: () => name,
    getSignature: () => {
      throw new Error('this algorithm only verifies')
    },
    verifySignature: (text: string, given: unknown, value: string) => {
      const publicKey = given as KeyObject
      return (
        publicKey.asymmetricKeyType === key &&
        verify(hash, Buffer.from(text), { key: publicKey, ...how }, Buffer.from(value, 'base64'))
      )
    },
  })
}

function hasher(name: string, hash: Hash): new () => HashAlgorithm {
  return constructorOf({
    getAlgorithmName: () => name,
    getHash: (text: string) => createHash(hash).update(text).digest('base64'),
  })
}

/** The library instantiates algorithms with `new`. */
function constructorOf<Thing extends object>(thing: Thing): new () => Thing {
  return function make() {
    return thing
  } as unknown as new () => Thing
}
