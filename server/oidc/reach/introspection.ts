import type { FindAccount, KoaContextWithOIDC } from 'oidc-provider'
import { organizationScope } from './chosen-organization.ts'

/** The claims of a token for an API, as introspection tells them: the size of a token does not limit them. */
export const introspectedToken = 'introspected token'

interface Token {
  accountId?: string
  scope?: string
  extra?: Record<string, unknown>
}

/**
 * Whether the person of a token still has the service, in the organisation that the token is of. An answer about a live one
 * names that organisation as it is now.
 */
export async function isAlive(findAccount: FindAccount, ctx: KoaContextWithOIDC, token: object): Promise<boolean> {
  const { accountId, scope = '', extra } = token as Token
  // A machine's own token.
  if (accountId === undefined) return true
  const account = await findAccount(ctx, accountId, token as Parameters<FindAccount>[2])
  if (!account) return false
  if (scope.split(' ').includes(organizationScope) || extra?.organization) {
    const use = extra?.organization ? introspectedToken : 'introspection'
    const { organization, roles } = await account.claims(use, organizationScope, {}, [])
    Object.assign(token, { extra: { ...extra, organization, roles } })
  }
  return true
}
