import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'

/**
 * Names of the provider's cookies. `__Host-` requires the path `/`, which only the session cookie has. Without https the portal is on
 * localhost, where a browser keeps one jar for all ports, and many frameworks call the cookie of a service `session`.
 */
export function cookieNames({ baseUrl }: Pick<Config, 'baseUrl'>) {
  return baseUrl.startsWith('https:')
    ? { session: '__Host-session', interaction: '__Secure-interaction', resume: '__Secure-interaction_resume' }
    : { session: 'portal_session', interaction: 'interaction', resume: 'interaction_resume' }
}

/** The signer interface of the provider's cookie library (the npm module keygrip). */
export interface CookieSigner {
  sign(data: string): string
  verify(data: string, signature: string): boolean
  index(data: string, signature: string): number
}

/** Signs with the current key and verifies with all valid keys, so that sessions survive a key rotation. */
export function createCookieSigner(keys: Keys): CookieSigner {
  const signature = (key: KeyObject, data: string) => createHmac('sha256', key).update(data).digest('base64url')
  const verify = (data: string, given: string) => {
    const presented = Buffer.from(given)
    let valid = false
    for (const { secret } of keys.all('cookies')) {
      const expected = Buffer.from(signature(secret, data))
      if (presented.length === expected.length && timingSafeEqual(presented, expected)) valid = true
    }
    return valid
  }
  return {
    sign: (data) => signature(keys.current('cookies').secret, data),
    verify,
    // For an older key the library would set the cookie again, with the wrong path, so every valid key has index 0.
    index: (data, given) => (verify(data, given) ? 0 : -1),
  }
}

/** Reads a signed cookie; undefined if it is missing or forged. */
export function readSignedCookie(
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  name: string,
  signatures: CookieSigner,
): string | undefined {
  const value = cookies[name]
  const signature = cookies[`${name}.sig`]
  if (!value || !signature || !signatures.verify(`${name}=${value}`, signature)) return undefined
  return value
}
