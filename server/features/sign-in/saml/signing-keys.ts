import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Keys } from '#server/platform/keys.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'

interface SigningKey {
  key: KeyObject
  /** DER, base64. The same in every process and at every start, because companies take it in. */
  certificate: string
}

/**
 * The keys that sign our requests to companies, the oldest first. That one signs for as long as it is kept: companies
 * have the three months after a rotation to take in the new certificate, which stands in the metadata beside the old one.
 */
export const signingKeys = (keys: Keys): SigningKey[] =>
  keys
    .signing('samlSigning')
    .filter(({ alg }) => alg === 'RS256')
    // Ids are in the order of time (UUIDv7).
    .sort((a, b) => (a.kid < b.kid ? -1 : 1))
    .map((jwk) => {
      const key = createPrivateKey({ key: jwk, format: 'jwk' })
      return { key, certificate: selfSignedCertificate(key, jwk.kid.slice(0, 36)).toString('base64') }
    })
