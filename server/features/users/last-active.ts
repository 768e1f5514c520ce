import { can } from '#contract/permissions.ts'
import type { users } from '#contract/users/users.ts'
import { endPortalRole } from '#server/accounts/portal-role.repository.ts'
import { lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { askLastAdmin } from './last-admin.ts'
import { raiseVersion, setLastActive } from './users.repository.ts'
import { targetOf } from './visible-user.ts'

/** A customer opens the account for its own services. That it reads all customers again, a super user decides; the customer sees nothing of it. */
async function letRoleEnd(
  { db, audit }: RequestContext<typeof users.setLastActive>,
  before: StoredUser,
): Promise<void> {
  const daysOf = ({ portalRoleFrom, portalRoleUntil }: StoredUser) => ({ portalRoleFrom, portalRoleUntil })
  if (!(await endPortalRole(db, before.accountId))) return
  await raiseVersion(db, before.accountId)
  const after = found(await lockUser(db, before.accountId))
  audit({
    name: 'updateUser',
    target: labelled(before),
    before: daysOf(before),
    after: daysOf(after),
    organizationIds: [],
  })
}

/** Sets when a person was last active; a passive person can then sign in again. */
export async function updateLastActive(context: RequestContext<typeof users.setLastActive>): Promise<undefined> {
  const { db, params, now, actor, audit } = context
  const before = found(await lockUser(db, params.id))
  const target = targetOf(before)
  context.allow('readUser', target)
  context.require('administerUser', target)
  // A date decides in all organisations when the person becomes passive.
  if (params.value !== 'now') context.require('updateUser', target)
  const lastActive = params.value === 'now' ? now : new Date(params.value)
  if (lastActive > now)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'value', message: 'notInFuture' }] })
  if (before.passiveAt === null && before.lastActive?.getTime() === lastActive.getTime()) return undefined
  if (params.value !== 'now')
    for (const membership of before.organizations)
      await askLastAdmin(db, actor, { accountId: before.accountId, membership, query: {} })
  if (before.passiveAt !== null && before.portalRole && !can(actor, 'manageUsers')) await letRoleEnd(context, before)
  await setLastActive(db, before.accountId, lastActive)
  audit({
    name: 'updateUser',
    target: labelled(before),
    before: { lastActive: before.lastActive, passive: before.passiveAt !== null },
    after: { lastActive, passive: false },
    organizationIds: organizationIdsOf(before),
  })
  return undefined
}
