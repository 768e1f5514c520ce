import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { decrypt, encrypt, UnsealError } from './envelope.ts'
import type { KeyPurpose } from './key-purposes.ts'
import { keyPurposes } from './key-purposes.ts'
import { type MasterKey, MasterKeyError } from './master-key.ts'

/** A private key as JWK (RFC 7517), with its id, use and algorithm. */
export interface SigningJwk extends JsonWebKey {
  kid: string
  use: 'sig'
  alg: 'RS256' | 'ES256'
}

/** The private key of an encryption certificate. */
export interface DecryptionJwk extends JsonWebKey {
  kid: string
  use: 'enc'
  alg: 'RSA-OAEP'
}

const generate = promisify(generateKeyPair)

/** Generates key material for a purpose: 32 random bytes, or key pairs as JSON: RSA-2048, and P-256 for signatures. */
export async function generateKeyMaterial(purpose: KeyPurpose, id: string): Promise<Buffer> {
  const { kind } = keyPurposes[purpose]
  if (kind === 'symmetric') return randomBytes(32)
  const rsa = await generate('rsa', { modulusLength: 2048 })
  if (kind === 'decryption')
    return asJson([{ ...rsa.privateKey.export({ format: 'jwk' }), kid: `${id}.rs`, use: 'enc', alg: 'RSA-OAEP' }])
  // Every OpenID Connect client supports RS256; newer ones prefer ES256.
  const ec = await generate('ec', { namedCurve: 'P-256' })
  return asJson([
    { ...rsa.privateKey.export({ format: 'jwk' }), kid: `${id}.rs`, use: 'sig', alg: 'RS256' },
    { ...ec.privateKey.export({ format: 'jwk' }), kid: `${id}.es`, use: 'sig', alg: 'ES256' },
  ])
}

const asJson = (jwks: (SigningJwk | DecryptionJwk)[]) => Buffer.from(JSON.stringify(jwks))

const aadFor = (purpose: string, id: string) => ['keys', 'sealed', id, purpose]

/** Encrypts a data key with the master key. */
export const wrapKey = (masterKey: MasterKey, purpose: string, id: string, bytes: Buffer): Buffer =>
  encrypt(masterKey.reveal(), aadFor(purpose, id), bytes)

/** Whether this master key, and not the one that is to replace it, sealed a data key. */
export function opens(masterKey: MasterKey, purpose: string, id: string, sealed: Buffer): boolean {
  try {
    decrypt(masterKey.reveal(), aadFor(purpose, id), sealed)
    return true
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    return false
  }
}

/**
 * Decrypts a data key with the master key.
 *
 * @throws MasterKeyError with one line when it was encrypted with another master key
 */
export function unwrapKey(masterKey: MasterKey, purpose: string, id: string, sealed: Buffer): Buffer {
  for (const each of [masterKey, masterKey.next])
    if (each && opens(each, purpose, id, sealed)) return decrypt(each.reveal(), aadFor(purpose, id), sealed)
  throw new MasterKeyError(
    'MASTER_KEY does not open the keys in this database: it is not the master key that the database was set up with',
  )
}
