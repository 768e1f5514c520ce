import type { users } from '#contract/users/users.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'

/**
 * Shows a personal number, which every other call masks.
 *
 * @throws Problem 403 `reauthenticationRequired` if the super user signed in over 15 minutes ago
 */
export async function revealSsn(context: RequestContext<typeof users.revealSsn>): Promise<{ ssn: string | null }> {
  const { db, keys, params, session, now, audit } = context
  const user = found(await findUser(db, params.id))
  requireRecentSignIn(session, now)
  if (!user.ssnSealed) return { ssn: null }
  audit({ name: 'revealSsn', target: labelled(user), organizationIds: organizationIdsOf(user) })
  return { ssn: await unsealSsn(keys, user.accountId, user.ssnSealed) }
}
