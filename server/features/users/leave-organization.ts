import type { users } from '#contract/users/users.ts'
import { readRolesText } from '#server/accounts/grants.repository.ts'
import { refuseAbove } from '#server/accounts/own-permissions.ts'
import { lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationsText, servicesText } from '#server/accounts/user-audit.ts'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { adminRolesOf, hasRole } from './admin-roles.ts'
import { withdrawInvitee } from './invited-person.ts'
import { askLastAdmin } from './last-admin.ts'
import { removeMembership } from './memberships.repository.ts'
import { raiseVersion } from './users.repository.ts'

/** Removes a person from an organisation, or withdraws the invitation to it. */
export async function leaveOrganization(context: RequestContext<typeof users.leave>): Promise<undefined> {
  const { db, params, query, actor, audit } = context
  const { userId: accountId, organizationId } = params
  const user = await lockUser(db, accountId)
  if (!user) {
    context.requireFreshProof(false)
    await withdrawInvitee(context)
    return undefined
  }
  const membership = found(user.organizations.find((one) => one.organizationId === organizationId))
  const services = user.services.filter((one) => one.organizationId === organizationId)
  context.requireFreshProof(hasRole(membership) || adminRolesOf({ services }).length > 0)
  refuseAbove(actor, user, organizationId)
  await askLastAdmin(db, actor, { accountId, membership, query })
  await endMembership(db, audit, user, organizationId)
  return undefined
}

/** Ends somebody's membership with the services there, their tokens too, with one event. The caller has locked the person. */
export async function endMembership(
  db: Db,
  audit: (entry: AuditEntry) => void,
  user: StoredUser,
  organizationId: string,
): Promise<void> {
  const isThere = (one: { organizationId: string }) => one.organizationId === organizationId
  const { accountId } = user
  const roles = await readRolesText(db, accountId, [organizationId])
  await removeMembership(db, { accountId, organizationId })
  await endWithdrawnAccess(db, accountId)
  await raiseVersion(db, accountId)
  audit({
    name: 'removeUser',
    target: labelled(user),
    before: {
      organizations: organizationsText(user.organizations.filter(isThere)),
      services: servicesText(user.services.filter(isThere)),
      roles: roles.get(organizationId),
    },
    organizationIds: [organizationId],
  })
}
