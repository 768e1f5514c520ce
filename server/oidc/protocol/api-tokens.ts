import {
  type AccountClaims,
  type Configuration,
  errors,
  type FindAccount,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { System } from '#server/platform/system.ts'
import type { ClientSettings } from '../clients.adapter.ts'
import { runForProvider } from '../provider-problem.ts'
import { boundOrganization, organizationScope } from '../reach/chosen-organization.ts'
import { isAlive } from '../reach/introspection.ts'

type Features = NonNullable<Configuration['features']>

const settingsOf = (client: object) => client as ClientSettings & { clientId: string; tokenEndpointAuthMethod: string }

/**
 * Tokens for a service that is an API (RFC 8707): its address is their audience. Signed ones follow RFC 9068. They say who, by
 * which client and when, and what the person may do the API decides.
 */
export function apiTokens({ db }: Pick<System, 'db'>) {
  const feature: Features['resourceIndicators'] = {
    enabled: true,
    // Without `resource` at the token endpoint, the one of the authorization request (RFC 8707, 2.2).
    useGrantedResource: () => true,
    async getResourceServerInfo(_, audience, client) {
      const { apis = [], access_seconds: accessTokenTTL } = settingsOf(client)
      if (!apis.includes(audience)) throw new errors.InvalidTarget('the client may not ask for this API')
      const statement = db.selectFrom('clients').select('apiToken').where('apiUri', '=', audience)
      const [api] = (await runForProvider(executePrepared(db, statement))).rows
      if (!api) throw new errors.InvalidTarget('there is no such API')
      const accessTokenFormat = api.apiToken as 'jwt' | 'opaque'
      return { audience, scope: '', ...(accessTokenTTL && { accessTokenTTL }), accessTokenFormat }
    },
  }
  return {
    feature,
    /** Of a token for an API: how and when the person signed in (RFC 9068, 2.2.1), and for which organisation. */
    async claims(ctx: KoaContextWithOIDC, token: { aud?: unknown }) {
      const { account, entities } = ctx.oidc
      const source = entities.AuthorizationCode ?? entities.RefreshToken
      if (token.aud === undefined || !source) return undefined
      const { organization, roles }: Partial<AccountClaims> =
        account && boundOrganization(source) ? await account.claims('token', organizationScope, {}, []) : {}
      const { authTime: auth_time, amr, acr } = source
      return { auth_time, amr, ...(acr && { acr }), ...(organization ? { organization, roles } : {}) }
    },
  }
}

/** A token for an API is that API's to ask about, and no other client's; one without an API, that of the client that has it. */
export const mayIntrospect =
  (findAccount: FindAccount) => async (ctx: KoaContextWithOIDC, client: object, token: object) => {
    const { clientId, tokenEndpointAuthMethod, api_uri: apiUri } = settingsOf(client)
    const { aud, clientId: holder } = token as { aud?: unknown; clientId?: string }
    const isTheirs = aud === undefined ? holder === clientId : apiUri !== undefined && aud === apiUri
    return tokenEndpointAuthMethod !== 'none' && isTheirs && (await isAlive(findAccount, ctx, token))
  }
