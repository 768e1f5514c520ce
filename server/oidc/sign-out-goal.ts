import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/keys.ts'
import { createCookieSignatures, signedCookie } from './cookies.ts'

/** Seconds that a service's wish for a sign-out counts: whoever signs out later does so by themselves. */
const lifetime = 300

const secure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (secure(config) ? '__Secure-sign-out' : 'sign-out')
const options = (config: Config) =>
  ({ path: '/logout', httpOnly: true, sameSite: 'lax', secure: secure(config) }) as const

/** Remembers where a service that began the sign-out wants it to end; the provider checked that it may. */
export function rememberSignOutGoal(ctx: KoaContextWithOIDC, config: Config, now: Date): void {
  const { postLogoutRedirectUri, state } = (ctx.oidc.session?.state ?? {}) as Record<string, unknown>
  if (typeof postLogoutRedirectUri !== 'string') return
  const goal = new URL(postLogoutRedirectUri)
  if (typeof state === 'string') goal.searchParams.set('state', state)
  const value = [Buffer.from(goal.href).toString('base64url'), now.getTime() + lifetime * 1000].join('.')
  ctx.cookies.set(cookie(config), value, { ...options(config), signed: true, maxAge: lifetime * 1000 })
}

/** Where the sign-out of this request is to end: a service's address, or `/`. */
export function signOutGoal(
  request: FastifyRequest,
  { config, keys, now }: { config: Config; keys: Keys; now: Date },
): string {
  const value = signedCookie(request, cookie(config), createCookieSignatures(keys)) ?? ''
  const [goal = '', until = '0'] = value.split('.')
  return goal && Number(until) > now.getTime() ? Buffer.from(goal, 'base64url').toString() : '/'
}

/** The wish was fulfilled. */
export function forgetSignOutGoal(reply: FastifyReply, config: Config): void {
  const name = cookie(config)
  reply.clearCookie(name, options(config)).clearCookie(`${name}.sig`, options(config))
}
