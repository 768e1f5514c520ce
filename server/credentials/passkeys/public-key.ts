import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isStrongKey } from '#server/platform/secrets/strong-keys.ts'
import { type Cbor, type CborMap, readCbor } from './cbor.ts'
import { plainSignature } from './plain-signature.ts'

/** EdDSA, ES256, RS256 (IANA's COSE numbers): what every maker has one of. */
export const algorithms: readonly number[] = [-8, -7, -257]

/** A public key that can prove something, and what its signatures are made with. */
interface PublicKey {
  key: KeyObject
  verify(data: Buffer, signature: Buffer): boolean
}

/**
 * Reads the COSE form of a key (RFC 9053). A weak key would let in others than its owner: an RSA key that is short or has a small
 * exponent, and a point that is not on its curve, or of a small group, where signatures can be made up.
 *
 * @throws Error for another algorithm, a key that does not fit its algorithm, and a weak one
 */
export function readPublicKey(cose: Buffer): PublicKey {
  const { value } = readCbor(cose)
  if (!(value instanceof Map)) throw new Error('the key is no map')
  const read = readKind(value)
  if (!isStrongKey(read.key)) throw new Error('the key is weak')
  return read
}

function readKind(value: CborMap): PublicKey {
  const [type, algorithm] = [value.get(1), value.get(3)]
  if (type === 2 && algorithm === -7) return readEs256(value)
  if (type === 1 && algorithm === -8) return readEdDsa(value)
  if (type === 3 && algorithm === -257) return readRs256(value)
  throw new Error(`no key of type ${String(type)} and algorithm ${String(algorithm)} was asked for`)
}

function readEs256(cose: CborMap): PublicKey {
  if (cose.get(-1) !== 1) throw new Error('ES256 is on P-256')
  // Refuses a point that is not on the curve.
  const jwk = { kty: 'EC', crv: 'P-256', x: bytesOf(cose.get(-2), 32), y: bytesOf(cose.get(-3), 32) }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const asked = { key, dsaEncoding: 'ieee-p1363' } as const
  return { key, verify: (data, signature) => verify('sha256', data, asked, plainSignature(signature)) }
}

function readEdDsa(cose: CborMap): PublicKey {
  if (cose.get(-1) !== 6) throw new Error('EdDSA is on Ed25519')
  const x = bytesOf(cose.get(-2), 32)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return { key, verify: (data, signature) => verify(null, data, key, signature) }
}

function readRs256(cose: CborMap): PublicKey {
  const key = createPublicKey({
    key: { kty: 'RSA', n: bytesOf(cose.get(-1)), e: bytesOf(cose.get(-2)) },
    format: 'jwk',
  })
  return { key, verify: (data, signature) => verify('sha256', data, key, signature) }
}

function bytesOf(value: Cbor, length?: number): string {
  if (!Buffer.isBuffer(value) || (length !== undefined && value.length !== length))
    throw new Error('a part of the key is missing, or has another length')
  return value.toString('base64url')
}
