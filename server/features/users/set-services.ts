import type { AuditEventName } from '#contract/audit-event.ts'
import type { Period, RolePeriod } from '#contract/fields/period.ts'
import { can } from '#contract/permissions.ts'
import type { ServiceRole } from '#contract/roles.ts'
import type { users } from '#contract/users/users.ts'
import { keepingAnAdmin } from '#server/accounts/keep-an-admin.ts'
import { refuseOwnService } from '#server/accounts/own-permissions.ts'
import { findMember } from '#server/accounts/roles.repository.ts'
import { lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, servicesText } from '#server/accounts/user-audit.ts'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { adminRolesOf, admins, hasRole, otherAdmins } from './admin-roles.ts'
import { checkTerms } from './check-terms.ts'
import { setInvitationTerms } from './invited-person.ts'
import { askLastAdmin, refuseEndOfLastAdmin, refuseLongerRoles, refuseLongerThanOwn } from './last-admin.ts'
import { sameRoles, setAssignments, setMembership } from './memberships.repository.ts'
import { sameTerms } from './terms.ts'
import { hasEnded, raiseMembershipVersion, raiseVersion } from './users.repository.ts'
import { targetOf, visibleVersion } from './visible-user.ts'
import { givesAccess, vouchFor } from './vouching/unproven-account.ts'

/** A person with their role and services in one organisation. */
function memberIn(user: StoredUser | undefined, organizationId: string) {
  const membership = found(user?.organizations.find((one) => one.organizationId === organizationId))
  const services = found(user).services.filter((one) => one.organizationId === organizationId)
  return { ...found(user), membership, services }
}
type Member = ReturnType<typeof memberIn>

/** A member with role and services in one organisation, locked until the transaction ends. */
export async function lockMember(db: Db, { accountId, organizationId }: { accountId: string; organizationId: string }) {
  return memberIn(await lockUser(db, accountId), organizationId)
}

const termsOf = <Terms extends Period & RolePeriod>({ validFrom, validUntil, roleFrom, roleUntil }: Terms) => ({
  ...{ validFrom, validUntil, roleFrom, roleUntil },
})

const forAudit = ({ membership, services }: Member) => ({
  organization: membership.name,
  userRole: membership.userRole,
  ...termsOf(membership),
  services: servicesText(services),
})

/** Audits the change and raises the version, so that older forms are refused. */
export async function recordChange(
  { db, audit }: Pick<RequestContext, 'db' | 'audit'>,
  before: Member,
  {
    name = 'updateUserServices',
    vouched = {},
    groups = '',
  }: { name?: AuditEventName; vouched?: { unprovenReason?: string }; groups?: string } = {},
): Promise<void> {
  const { accountId } = before
  const { organizationId, name: organization } = before.membership
  await raiseVersion(db, accountId)
  await raiseMembershipVersion(db, accountId, organizationId)
  const after = await lockMember(db, { accountId, organizationId })
  audit({
    name,
    target: labelled(after),
    before: { ...forAudit(before), organization: '', ...(groups && { groups }) },
    after: { ...forAudit(after), organization, ...vouched },
    organizationIds: [organizationId],
  })
}

/**
 * Sets role and services in an organisation as one change. A service admin can change only the services that they
 * administer, and not who administers them; everything else stays unchanged.
 */
export async function setServices(context: RequestContext<typeof users.setServices>): Promise<undefined> {
  const { db, params, query, input, actor } = context
  const { userId: accountId, organizationId } = params
  const user = await lockUser(db, accountId)
  if (!user) {
    const services = input.services.map((one) => ({ ...one, organizationId }))
    const organizations = input.userRole && [{ organizationId, userRole: input.userRole }]
    context.requireFreshProof(adminRolesOf({ organizations, services }).length > 0)
    await setInvitationTerms(context, accountId)
    return undefined
  }
  context.allow('readUser', targetOf(user))
  const before = memberIn(user, organizationId)
  checkVersion({ version: visibleVersion(actor, user) }, input.version)
  const { userRole = before.membership.userRole } = input
  const membership = { ...before.membership, ...given(termsOf(input)), userRole }
  if (userRole === 'regular') Object.assign(membership, { roleFrom: null, roleUntil: null })
  const roleDiffers = userRole !== before.membership.userRole
  const termsDiffer = !sameTerms(before.membership, membership)
  if (termsDiffer) await checkTerms(context, user, before.membership, membership)
  const mayHandOut = (one: { organizationId: string; serviceId: string }) => can(actor, 'handOutService', one)
  // What the actor sees and does not hand out, but sends as it is, stays. Of what they do not see, nothing is told.
  const seesAll = can(actor, 'readPeople', { organizationId })
  const wanted = input.services
    .map((one) => ({ ...one, organizationId }))
    .filter((one) => !seesAll || mayHandOut(one) || !before.services.some((had) => sameRoles([had], [one])))
  for (const one of wanted) context.require('handOutService', one)
  const present = before.services.filter(mayHandOut)
  const changed = otherAdmins(present, wanted)
  const adminsDiffer = changed.length > 0
  for (const { serviceId } of changed) context.require('appointServiceAdmins', { organizationId, serviceId })
  const isAboutAdmin = [before.membership, membership].some(hasRole)
  context.requireFreshProof((termsDiffer && isAboutAdmin) || adminsDiffer)
  if (!termsDiffer && sameRoles(present, wanted)) return undefined
  for (const one of wanted) {
    const had = present.filter(({ serviceId }) => serviceId === one.serviceId)
    if (!sameRoles(had, [one])) refuseOwnService(actor, accountId, one)
  }
  const roles = { organizations: [{ organizationId, userRole }], services: wanted }
  const vouched = await vouchAs(context, user, roles, input.unprovenReason)
  if (roleDiffers) await askLastAdmin(db, actor, { accountId, membership: before.membership, query })
  const services = wanted.map((one) => ({
    ...{ ...one, ...present.find((had) => had.serviceId === one.serviceId) },
    ...given(one),
  }))
  await refuseLongerThanOwn(db, actor, { accountId, before, after: { membership, services } })
  if (termsDiffer) {
    const set = () => setMembership(db, { accountId, ...termsOf(membership), organizationId, userRole })
    // Who steps down has been asked.
    const isForced = roleDiffers && accountId === actor.accountId && query.force === 'true'
    await (isForced ? set() : keepingAnAdmin(db, actor, organizationId, set))
    await refuseEndOfLastAdmin(db, { accountId, before: before.membership, after: membership })
  }
  await setAssignments(db, { accountId, present, wanted })
  await endWithdrawnAccess(db, accountId)
  await recordChange(context, before, { vouched })
  return undefined
}

/** Without what was left out. */
const given = <Terms extends object>(terms: Terms) =>
  Object.fromEntries(Object.entries(terms).filter(([, day]) => day !== undefined)) as Partial<Terms>

/** A role that an admin gives in the own organisation is the organisation's own matter. */
async function vouchAs(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  user: StoredUser,
  roles: Parameters<typeof givesAccess>[1],
  reason: string | undefined,
) {
  const asks = can(actor, 'manageUsers') && givesAccess(user, roles)
  return asks ? vouchFor(db, user, reason) : {}
}

/** Assigns one service to a member by e-mail address, so that service admins need not see a list of members. */
export async function assignService(context: RequestContext<typeof users.assignService>): Promise<undefined> {
  const { db, params, input, actor } = context
  const { serviceId, organizationId } = params
  context.requireFreshProof(input.userRole === 'serviceAdmin')
  if (input.userRole === 'serviceAdmin') context.require('appointServiceAdmins', { organizationId, serviceId })
  const { accountId } = found(await findMember(db, { organizationId, email: input.email }))
  const given = { organizationId, serviceId, userRole: input.userRole }
  const user = found(await lockUser(db, accountId))
  const before = memberIn(user, organizationId)
  const after = { membership: before.membership, services: [given] }
  await refuseLongerRoles(db, actor, { accountId, before, after })
  const vouched = await vouchAs(context, user, { services: [given] }, input.unprovenReason)
  await giveService(context, { accountId, ...given }, { vouched })
  return undefined
}

interface Given {
  accountId: string
  source?: 'request'
  organizationId: string
  serviceId: string
  userRole: ServiceRole
}

/**
 * Assigns a service to a member, with one audit event. The caller has checked that the actor may. What has ended is given
 * again as it was, with its roles of the service; who was the admin of it is so no more, which service admins do not decide.
 *
 * @throws Problem 403 `ownAccount`, 409 `serviceAlreadyAdded` or `noSeatsLeft`, 404 for somebody who is no member
 */
export async function giveService(
  context: Pick<RequestContext, 'db' | 'audit' | 'require' | 'actor'>,
  { accountId, ...given }: Given,
  event: { name?: AuditEventName; vouched?: { unprovenReason?: string } } = {},
): Promise<void> {
  refuseOwnService(context.actor, accountId, given)
  const before = await lockMember(context.db, { accountId, organizationId: given.organizationId })
  const present = before.services.filter((one) => one.serviceId === given.serviceId)
  const [had] = present
  if (had && !(await hasEnded(context.db, { accountId, ...had }))) throw new Problem(409, 'serviceAlreadyAdded')
  if (admins(present).length > 0) context.require('appointServiceAdmins', given)
  const wanted = [{ ...given, validFrom: null, validUntil: null }]
  const byHand = present.filter(({ source }) => source !== null)
  await setAssignments(context.db, { accountId, present: byHand, wanted })
  await recordChange(context, before, event)
}
