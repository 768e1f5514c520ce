import type { Period, RolePeriod } from '#contract/fields/period.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { OrganizationRole } from '#contract/roles.ts'
import type { users } from '#contract/users/users.ts'
import { refuseAbove, refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import type { StoredUser } from '#server/accounts/stored-user.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'

interface Terms extends Period, RolePeriod {
  userRole: OrganizationRole
}

/**
 * The days of a membership and the admin role within it have a permission each. Nobody changes those of somebody with more
 * rights.
 *
 * @throws Problem 403 `forbidden`, `moreThanOwn`
 */
export async function checkTerms(
  { db, actor, require }: RequestContext<typeof users.setServices>,
  user: StoredUser,
  before: Terms & { organizationId: string },
  after: Terms,
): Promise<void> {
  const { organizationId } = before
  const differ = (names: readonly (keyof Terms)[]) =>
    names.some((name) => (before[name] ?? null) !== (after[name] ?? null))
  if (differ(['validFrom', 'validUntil'])) {
    require('editPeople', { organizationId })
    refuseAbove(actor, user, organizationId)
  }
  if (!differ(['userRole', 'roleFrom', 'roleUntil'])) return
  require('giveRoles', { organizationId })
  await refuseMoreThanOwn(db, actor, { organizationId, permissions: rolePermissions })
}
