import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/keys.ts'

/** The provider's cookies. `__Host-` demands the path `/`, which only the session's has (facts: parallel tabs). */
export function cookieNames({ baseUrl }: Pick<Config, 'baseUrl'>) {
  return baseUrl.startsWith('https:')
    ? { session: '__Host-session', interaction: '__Secure-interaction', resume: '__Secure-interaction_resume' }
    : { session: 'session', interaction: 'interaction', resume: 'interaction_resume' }
}

/** What the provider's cookie library asks of a signer (the npm module keygrip). */
export interface CookieSignatures {
  sign(data: string): string
  verify(data: string, signature: string): boolean
  index(data: string, signature: string): number
}

/** Signs with the current key and knows every key that still counts, so that a rotation ends nobody's session. */
export function createCookieSignatures(keys: Keys): CookieSignatures {
  const signature = (key: KeyObject, data: string) => createHmac('sha256', key).update(data).digest('base64url')
  const verify = (data: string, given: string) => {
    const presented = Buffer.from(given)
    let right = false
    for (const { secret } of keys.all('cookies')) {
      const expected = Buffer.from(signature(secret, data))
      if (presented.length === expected.length && timingSafeEqual(presented, expected)) right = true
    }
    return right
  }
  return {
    sign: (data) => signature(keys.current('cookies').secret, data),
    verify,
    // The library would write the signature of an older key anew, on the wrong path: any valid key counts as the first.
    index: (data, given) => (verify(data, given) ? 0 : -1),
  }
}

/** The value of a signed cookie, or nothing where it is missing or forged. */
export function signedCookie(
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  name: string,
  signatures: CookieSignatures,
): string | undefined {
  const value = cookies[name]
  const signature = cookies[`${name}.sig`]
  if (!value || !signature || !signatures.verify(`${name}=${value}`, signature)) return undefined
  return value
}
