import { createHash, createPublicKey } from 'node:crypto'
import type { CryptoKey } from 'openid-client'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'

/** The key by which the portal proves who it is at a provider (private_key_jwt). */
export interface ClientKey {
  key: CryptoKey
  /** The SHA-256 of its certificate, base64url. */
  kid: string
  /** The SHA-1 of its certificate, base64url: Entra ID finds the key by it. */
  x5t: string
}

/**
 * The key that signs requests of SAML, too: the oldest one as long as it is retained, so that companies have three months
 * to install the next one.
 */
export async function loadClientKey(keys: Keys): Promise<ClientKey> {
  const [oldest] = loadSigningKeys(keys)
  if (!oldest) throw new Error('there is no key for requests')
  const { key, certificate } = oldest
  return {
    key: key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign']),
    kid: thumbprint('sha256', certificate),
    x5t: thumbprint('sha1', certificate),
  }
}

/** The public keys, as companies read them: the one that signs and those that will. */
export const publicClientKeys = (keys: Keys) =>
  loadSigningKeys(keys).map(({ key, certificate }) => {
    const { n = '', e = '' } = createPublicKey(key).export({ format: 'jwk' })
    const kind = { kty: 'RSA', alg: 'RS256', use: 'sig' } as const
    return { ...kind, kid: thumbprint('sha256', certificate), n, e, x5c: [certificate] }
  })

/** The certificate of the key that signs, as PEM, for providers that take no address. */
export const clientCertificate = (keys: Keys): string => {
  const [oldest] = loadSigningKeys(keys)
  const lines = oldest?.certificate.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
}

const thumbprint = (hash: 'sha1' | 'sha256', certificate: string) =>
  createHash(hash).update(Buffer.from(certificate, 'base64')).digest('base64url')
