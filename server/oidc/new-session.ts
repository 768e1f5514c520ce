import { generateToken } from '#server/platform/secrets/tokens.ts'
import type { Http, System } from '#server/platform/system.ts'
import { portalClientId } from './clients.adapter.ts'
import { cookieNames, createCookieSigner } from './cookies.ts'
import { hashId } from './hash-id.ts'
import type { Proofs } from './proofs.ts'
import type { SessionRow } from './requests/waiting-writes.ts'
import { toStorableIp, toStorableJson, toStorableText } from './storable.ts'
import { resumePath } from './storage/artifacts.adapter.ts'

/** A new session, in the provider's storage format. */
export interface NewSession extends SessionRow {
  /** The cookie's value; stored only hashed. */
  id: string
}

/**
 * Creates a session for a sign-in to the portal. It always has a new id, which prevents session fixation.
 *
 * @param amr authentication methods (RFC 8176)
 */
export function createSession(
  { config, now, http: { request } }: { config: System['config']; now: Date; http: Http },
  { accountId, amr, proofs }: { accountId: string; amr: readonly string[]; proofs: Proofs },
): NewSession {
  const id = generateToken()
  return {
    id,
    idHash: hashId(id),
    uid: generateToken(),
    accountId,
    authenticatedAt: new Date(Math.floor(now.getTime() / 1000) * 1000),
    proofs: JSON.stringify(proofs),
    createdAt: now,
    expiresAt: new Date(now.getTime() + Math.min(config.sessionIdleMinutes * 60, config.sessionMaxHours * 3600) * 1000),
    userAgent: toStorableText(request.headers['user-agent'] ?? '').slice(0, 400) || null,
    ip: toStorableIp(request.ip),
    payload: toStorableJson({
      kind: 'Session',
      amr,
      transient: true,
      authorizations: { [portalClientId]: { sid: generateToken() } },
    }),
  }
}

interface CookieContext {
  config: System['config']
  keys: System['keys']
  http: Http
}

const cookieOptions = ({ baseUrl }: System['config']) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/** Sets the cookie of a session, and its signature. */
export function setSessionCookie({ config, keys, http: { reply } }: CookieContext, id: string): void {
  const name = cookieNames(config).session
  reply.setCookie(name, id, cookieOptions(config))
  reply.setCookie(`${name}.sig`, createCookieSigner(keys).sign(`${name}=${id}`), cookieOptions(config))
}

/** Sets the cookies of the new session, and clears the one that would resume the interaction. */
export function setSessionCookies(context: CookieContext, { id, interaction }: { id: string; interaction: string }) {
  const { config, http } = context
  const { reply } = http
  const names = cookieNames(config)
  const options = cookieOptions(config)
  setSessionCookie(context, id)
  for (const name of [names.resume, `${names.resume}.sig`])
    reply.clearCookie(name, { ...options, path: resumePath(interaction) })
}
