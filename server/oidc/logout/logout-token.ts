import type { Provider } from 'oidc-provider'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'

/** Whose session at a service has ended. */
export interface LogoutSubject {
  accountId: string
  /** The session's id at the service. */
  sid: string
}

/** The provider's class for signed tokens. The library's types leave it out. */
type TokenClass = new (
  claims: { sub: string },
  about: { client: object; ctx: undefined },
) => {
  mask: Record<string, null>
  set(claim: string, value: unknown): void
  issue(use: { use: 'logout' }): Promise<string>
}

/**
 * Signs a logout token (OpenID Connect Back-Channel Logout 1.0, 2.4) for two minutes, so each attempt needs its own. The
 * provider's class, so that key, algorithm and `sub` are those of the client's ID tokens.
 *
 * @returns undefined if the client is gone
 */
export async function createLogoutToken(
  provider: Provider,
  clientId: string,
  { accountId, sid }: LogoutSubject,
): Promise<string | undefined> {
  const client = await provider.Client.find(clientId)
  if (!client) return undefined
  const { IdToken } = provider as unknown as { IdToken: TokenClass }
  const token = new IdToken({ sub: accountId }, { client, ctx: undefined })
  token.mask = { sub: null }
  token.set('events', { 'http://schemas.openid.net/event/backchannel-logout': {} })
  token.set('jti', generateToken())
  token.set('sid', sid)
  return token.issue({ use: 'logout' })
}

/** Posts a logout token to a service. @returns the status; throws an OutgoingFailure */
export async function postLogoutToken(outgoing: Outgoing, address: string, token: string): Promise<number> {
  const { status } = await outgoing.call(address, {
    use: 'logout',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
  return status
}
