import type { Provider } from 'oidc-provider'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * The addresses that a sign-out opens in the browser, each in a hidden frame (OpenID Connect Front-Channel Logout 1.0, 3): of the
 * services with such an address, with the session that ends there.
 */
export async function listFrames(
  db: Db,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  signOut: string | undefined,
): Promise<{ clientId: string; address: string }[]> {
  if (signOut === undefined) return []
  const rows = await db
    .selectFrom('logoutDeliveries as d')
    .innerJoin('clients as c', 'c.clientId', 'd.clientId')
    .select(['d.clientId', 'd.sid', 'c.frontchannelLogoutUri as uri'])
    .where('d.signOut', '=', signOut)
    .where('c.frontchannelLogoutUri', 'is not', null)
    .execute()
  return rows.map(({ clientId, sid, uri }) => {
    const address = new URL(uri ?? '')
    address.searchParams.set('iss', `${baseUrl}/oidc`)
    address.searchParams.set('sid', sid)
    return { clientId, address: address.href }
  })
}

/**
 * Every ID token names the session at the service: for logout tokens, for a frame, and for a service that sends the person to sign
 * out, who is then known without a question. The library leaves it out where a client takes no logout tokens.
 */
export function nameSessions(provider: Provider): void {
  const { prototype } = provider.Client as unknown as { prototype: { includeSid(): boolean } }
  prototype.includeSid = () => true
}
