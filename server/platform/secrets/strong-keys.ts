import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { isSoundEd25519 } from './ed25519-point.ts'

/** By OpenSSL's names: NIST's, and those of German identity providers. */
const curves = ['prime256v1', 'secp384r1', 'secp521r1', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1']

/**
 * Whether only the owner of a public key can sign for it: RSA of 2048 to 8192 bits, odd, with an odd exponent from 65537 on, a point on a
 * curve of 256 bits or more, or one of Ed25519 that is of no small group. OpenSSL refuses points off the other curves by itself.
 */
export function isStrongKey(key: KeyObject): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails: details = {} } = key
  if (asymmetricKeyType === 'rsa') {
    const { modulusLength = 0, publicExponent = 0n } = details
    const isUsual = publicExponent >= 65_537n && publicExponent <= 0xffff_ffffn && publicExponent % 2n === 1n
    const modulus = Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url')
    const isOdd = (modulus.at(-1) ?? 0) % 2 === 1
    return modulusLength >= 2048 && modulusLength <= 8192 && isOdd && isUsual
  }
  if (asymmetricKeyType === 'ec') return curves.includes(details.namedCurve ?? '')
  if (asymmetricKeyType !== 'ed25519') return false
  return isSoundEd25519(Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url'))
}

/** Whether a JSON Web Key is a public one that `isStrongKey` accepts: no symmetric key, no private one. */
export function isStrongJwk(jwk: object): boolean {
  if ('d' in jwk || 'k' in jwk) return false
  try {
    return isStrongKey(createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }))
  } catch {
    return false
  }
}

/** A set has far fewer; each costs up to a millisecond. */
const most = 100

/** The keys of a set (RFC 7517) that can prove something. */
export const strongKeys = <Key>(keys: readonly Key[]): Key[] =>
  keys.slice(0, most).filter((key) => typeof key === 'object' && key !== null && isStrongJwk(key))
