import type { users } from '#contract/users.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import { labelled, organizationIdsOf } from './user-audit.ts'
import { findUser } from './users.repository.ts'

/** Milliseconds for which a sign-in counts as recent (security 21). */
const freshFor = 15 * 60_000

/**
 * Shows a personal number, which every other call masks.
 *
 * @throws Problem 403 `reauthenticationRequired` if the super user signed in over 15 minutes ago
 */
export async function revealSsn(context: RequestContext<typeof users.revealSsn>): Promise<{ ssn: string | null }> {
  const { db, keys, params, session, now, audit } = context
  const user = found(await findUser(db, params.id))
  if (now.getTime() - session.authenticatedAt.getTime() > freshFor) throw new Problem(403, 'reauthenticationRequired')
  if (!user.ssnSealed) return { ssn: null }
  audit({ name: 'revealSsn', target: labelled(user), organizationIds: organizationIdsOf(user) })
  return { ssn: await unsealSsn(keys, user.accountId, user.ssnSealed) }
}
