import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'

interface CertifiedKey {
  key: KeyObject
  /** DER, base64. Deterministic, because companies install it. */
  certificate: string
}

/**
 * Loads the keys that sign our requests, oldest first. The oldest key signs as long as it is retained: after a rotation
 * companies have three months to install the new certificate, which the metadata contains beside the old one.
 */
export const loadSigningKeys = (keys: Keys): CertifiedKey[] =>
  keys
    .signing('samlSigning')
    .filter(({ alg }) => alg === 'RS256')
    // Ids are UUIDv7, so they sort by time.
    .sort((a, b) => (a.kid < b.kid ? -1 : 1))
    .map(certified)

/**
 * Loads the keys that decrypt assertions, the one of the published certificate first. After a rotation the old ones
 * decrypt for another three months.
 */
export const loadDecryptionKeys = (keys: Keys): CertifiedKey[] => keys.decrypting('samlEncryption').map(certified)

function certified(jwk: JsonWebKey & { kid: string }): CertifiedKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  return { key, certificate: createSelfSignedCertificate(key, jwk.kid.slice(0, 36)).toString('base64') }
}
