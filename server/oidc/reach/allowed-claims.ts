import type { Provider } from 'oidc-provider'
import { claimsByScope } from '../accounts.ts'

type Grant = InstanceType<Provider['Grant']>

/**
 * Grants the single claims of a request (`claims`) that the client's scopes allow, and rejects the others: a service must not
 * get around what a super user lets it have.
 *
 * @returns whether the grant changed
 */
export function grantClaims(
  grant: Grant,
  client: { scope?: string | undefined },
  requested: readonly string[],
): boolean {
  const scopes = (client.scope ?? 'openid').split(' ')
  const allowed = new Set<string>(scopes.flatMap((scope) => claimsByScope[scope as keyof typeof claimsByScope] ?? []))
  const wanted = requested.filter((claim) => allowed.has(claim))
  const refused = requested.filter((claim) => !allowed.has(claim))
  const before = state(grant)
  // What a scope has allowed since then is no longer rejected.
  const rejected = [...new Set([...grant.getRejectedOIDCClaims().filter((claim) => !allowed.has(claim)), ...refused])]
  grant.rejected = undefined
  const missing = wanted.filter((claim) => !grant.getOIDCClaims().includes(claim))
  if (missing.length > 0) grant.addOIDCClaims(missing)
  if (rejected.length > 0) grant.rejectOIDCClaims(rejected)
  return state(grant) !== before
}

const state = (grant: Grant) => [grant.getOIDCClaims().length, ...grant.getRejectedOIDCClaims()].join(' ')
