import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { portalClientId } from './clients.adapter.ts'
import { createCookieSigner, readSignedCookie } from './cookies.ts'

/** Seconds that a service's logout request is valid; a later sign-out counts as the user's own. */
const ttlSeconds = 300

/** Characters: it is kept in a cookie. */
const maxAddress = 1300

const secure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (secure(config) ? '__Secure-sign-out' : 'sign-out')
const options = (config: Config) =>
  ({ path: '/logout', httpOnly: true, sameSite: 'lax', secure: secure(config) }) as const

/** Where a sign-out ends, and who started it. */
interface LogoutRedirect {
  address: string
  /** The client that started it; the portal by default. */
  client: string
  /** Whether a service started it. */
  begun: boolean
}

/** Stores the redirect target of a service's logout request in a cookie; the provider has validated it. */
export function storeLogoutRedirect(ctx: KoaContextWithOIDC, config: Config, now: Date): void {
  const { clientId, postLogoutRedirectUri, state } = (ctx.oidc.session?.state ?? {}) as Record<string, unknown>
  if (typeof clientId !== 'string') return
  const until = String(now.getTime() + ttlSeconds * 1000)
  const address = addressOf(postLogoutRedirectUri, state)
  if (address.length > maxAddress)
    throw new errors.InvalidRequest(`post_logout_redirect_uri with state is longer than ${maxAddress} characters`)
  const value = [address, clientId, until].map((part) => Buffer.from(part).toString('base64url')).join('.')
  ctx.cookies.set(cookie(config), value, { ...options(config), signed: true, maxAge: ttlSeconds * 1000 })
}

/**
 * RP-Initiated Logout 2: the person must be asked unless the ID token belongs to this session at that service. The session's
 * id there is random; a client without back-channel logout has none in its tokens, and is known by the person.
 */
export function isHintOfSession({ oidc }: KoaContextWithOIDC): boolean {
  const { IdTokenHint: hint, Client: client } = oidc.entities as {
    IdTokenHint?: { payload: { sub?: unknown; sid?: unknown } }
    Client?: { clientId: string }
  }
  const { session } = oidc
  if (!hint || !client || !session?.accountId) return false
  const { sub, sid } = hint.payload
  const authorization = session.authorizations?.[client.clientId]
  return sid === undefined ? authorization !== undefined && sub === session.accountId : sid === authorization?.sid
}

export function addressOf(postLogoutRedirectUri: unknown, state: unknown): string {
  if (typeof postLogoutRedirectUri !== 'string') return '/'
  const goal = new URL(postLogoutRedirectUri)
  if (typeof state === 'string') goal.searchParams.set('state', state)
  return goal.href
}

/** Reads the redirect target of this sign-out. */
export function readLogoutRedirect(
  request: FastifyRequest,
  { config, keys, now }: { config: Config; keys: Keys; now: Date },
): LogoutRedirect {
  const value = readSignedCookie(request, cookie(config), createCookieSigner(keys)) ?? ''
  const [address = '/', client = portalClientId, until] = value
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  return Number(until) > now.getTime()
    ? { address, client, begun: true }
    : { address: '/', client: portalClientId, begun: false }
}

/** Clears the stored redirect target. */
export function clearLogoutRedirect(reply: FastifyReply, config: Config): void {
  const name = cookie(config)
  reply.clearCookie(name, options(config)).clearCookie(`${name}.sig`, options(config))
}
