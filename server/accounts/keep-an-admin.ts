import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import { hasStandingAdmin, lockAdmins } from '#server/accounts/own-permissions.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'

/**
 * Makes a change of roles or of a membership. An organisation in which somebody may everything, without an end, keeps such a person.
 *
 * @throws Problem 409 `lastAdminStays`, except for super users
 */
export async function keepingAnAdmin<Result>(
  db: Db,
  actor: Actor,
  organizationId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  await lockAdmins(db, organizationId)
  const had = await hasStandingAdmin(db, organizationId)
  const result = await change()
  if (had && !can(actor, 'manageUsers') && !(await hasStandingAdmin(db, organizationId)))
    throw new Problem(409, 'lastAdminStays')
  return result
}
