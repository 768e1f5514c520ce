import type { users } from '#contract/users/users.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'

/** Shows a personal number, which every other call masks. */
export async function revealSsn(context: RequestContext<typeof users.revealSsn>): Promise<{ ssn: string | null }> {
  const { db, keys, params, audit } = context
  const user = found(await findUser(db, params.id))
  if (!user.ssnSealed) return { ssn: null }
  audit({ name: 'revealSsn', target: labelled(user), organizationIds: organizationIdsOf(user) })
  return { ssn: await unsealSsn(keys, user.accountId, user.ssnSealed) }
}
