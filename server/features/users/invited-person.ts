import type { UserTarget } from '#contract/actor.ts'
import type { Period } from '#contract/fields/period.ts'
import { neededToReach, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { Issue } from '#contract/problem.ts'
import type { OrganizationRole } from '#contract/roles.ts'
import type { User, users } from '#contract/users/users.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import { organizationsText, servicesText } from '#server/accounts/user-audit.ts'
import {
  findInvitedPerson,
  type InvitedPerson,
  updateInvitationTerms,
  withdrawInvitationById,
} from '#server/features/invitations/invitations.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { sameRoles } from './memberships.repository.ts'
import { sameTerms } from './terms.ts'
import { listOfferedServiceIds } from './users.repository.ts'

/** The permission target of an invited person. It has no services, so service admins have no access. */
const targetOf = ({ invitationId, organizations }: InvitedPerson): UserTarget => ({
  accountId: invitationId,
  operates: false,
  organizationIds: organizations.map((one) => one.organizationId),
  services: [],
})

/** An invited person as a user, with only the details that the inviter wrote. */
export function toVisibleInvitee(
  context: Pick<RequestContext<typeof users.read>, 'allow'>,
  invited: InvitedPerson,
): User {
  context.allow('readUser', targetOf(invited))
  const { invitationId, email, firstName, lastName, loginMethod, organizations, services, version, emailRefusedAt } =
    invited
  return {
    accountId: invitationId,
    ...{ email, firstName, lastName, loginMethod, organizations, services, version },
    ...{ ssn: null, ssnConfirmed: null, phoneNumber: null, preferredLanguage: null, samlConfigId: null },
    ...{ lastLogin: null, lastActive: null, maxPassiveDays: null },
    ...{ superUser: false, portalRole: null, portalRoleFrom: null, portalRoleUntil: null },
    ...{ pending: true, awaitsSignIn: false, passive: false, editable: false },
    ...{ emailProven: null, openedFor: null },
    emailRefusedAt: emailRefusedAt?.toISOString() ?? null,
  }
}

/** Sets the role and services of an invitation. Seats are checked when it is accepted. */
export async function setInvitationTerms(context: RequestContext<typeof users.setServices>, invitationId: string) {
  const { db, params, input, audit } = context
  const { organizationId } = params
  const before = foundInvitee(await findInvitedPerson(db, invitationId, { lock: true }), organizationId)
  context.allow('readUser', targetOf(before))
  checkVersion(before, input.version)
  await refuseUnoffered(db, organizationId, input.services)
  const services = input.services.map((one) => ({ ...one, organizationId }))
  refuseInnerPeriods(input)
  const [place] = before.organizations
  const { userRole = place?.userRole, validFrom, validUntil } = input
  const isSame = place && userRole && sameTerms(place, { userRole, validFrom, validUntil })
  if (isSame && sameRoles(before.services, services)) return
  if (!isSame) await checkPromise(context, before, { userRole, validFrom, validUntil })
  const changed: Promised[] = [...before.services, ...services].filter(
    (one) => !isAmong(before.services, one) || !isAmong(services, one),
  )
  for (const one of changed)
    context.require(one.userRole === 'serviceAdmin' ? 'appointServiceAdmins' : 'handOutService', one)
  const promisedBy = context.actor.accountId
  await updateInvitationTerms(db, invitationId, { ...input, organizationId, userRole: input.userRole, promisedBy })
  const after = foundInvitee(await findInvitedPerson(db, invitationId), organizationId)
  const organization = after.organizations[0]?.name
  audit({
    name: 'updateUserServices',
    target: labelled(after),
    before: forAudit(before),
    after: { ...forAudit(after), organization },
    organizationIds: [organizationId],
  })
}

type Promised = Pick<InvitedPerson['services'][number], 'organizationId' | 'serviceId' | 'userRole'>
const isAmong = (services: readonly Promised[], { serviceId, userRole }: Promised) =>
  services.some((one) => one.serviceId === serviceId && one.userRole === userRole)

/** Who promises a role, or changes its days, holds what it allows, as who gives it; the acceptance asks again. */
async function checkPromise(
  { db, actor, params, require }: RequestContext<typeof users.setServices>,
  { organizations: [before], services }: InvitedPerson,
  wanted: { userRole: OrganizationRole | undefined } & Period,
): Promise<void> {
  const { organizationId } = params
  if (before?.userRole !== wanted.userRole) {
    require('giveRoles', { organizationId })
    await refuseMoreThanOwn(db, actor, { organizationId, permissions: rolePermissions })
    return
  }
  require('editPeople', { organizationId })
  const until = wanted.validUntil === undefined ? before?.validUntil : wanted.validUntil
  const permissions = neededToReach({ userRole: wanted.userRole, services })
  await refuseMoreThanOwn(db, actor, { organizationId, permissions, until })
}

/**
 * Withdraws an invitation, when an admin removes the invited person from an organisation.
 *
 * @throws Problem 403 `moreThanOwn` where it promises more than the actor holds
 */
export async function withdrawInvitee(context: RequestContext<typeof users.leave>): Promise<void> {
  const { db, actor, params, audit } = context
  const { userId, organizationId } = params
  const invited = foundInvitee(await findInvitedPerson(db, userId, { lock: true }), organizationId)
  const promised = { userRole: invited.organizations[0]?.userRole, services: invited.services }
  await refuseMoreThanOwn(db, actor, { organizationId, permissions: neededToReach(promised) })
  await withdrawInvitationById(db, userId)
  audit({
    name: 'removeUser',
    target: labelled(invited),
    before: { organizations: organizationsText(invited.organizations), services: servicesText(invited.services) },
    organizationIds: [organizationId],
  })
}

/** Withdraws an invitation from the list of all users, including that of the first super user. */
export async function deleteInvitee({ params, transact }: RequestContext<typeof users.remove>): Promise<void> {
  await transact(async (db, audit) => {
    const invited = found(await findInvitedPerson(db, params.id, { lock: true }))
    await withdrawInvitationById(db, params.id)
    audit({
      name: 'deleteUser',
      target: labelled(invited),
      before: { organizations: organizationsText(invited.organizations), services: servicesText(invited.services) },
      organizationIds: invited.organizations.map((one) => one.organizationId),
    })
  })
}

const labelled = ({ invitationId, email }: InvitedPerson) => ({ id: invitationId, label: email })

const forAudit = ({ organizations, services }: InvitedPerson) => ({
  userRole: organizations[0]?.userRole,
  validFrom: organizations[0]?.validFrom,
  validUntil: organizations[0]?.validUntil,
  services: servicesText(services),
})

function foundInvitee(invited: InvitedPerson | undefined, organizationId: string): InvitedPerson {
  return found(invited?.organizations.some((one) => one.organizationId === organizationId) ? invited : undefined)
}

/** Of an invitation only the membership has days: its role and services have them once it is accepted. */
function refuseInnerPeriods({ roleFrom, roleUntil, services }: RequestContext<typeof users.setServices>['input']) {
  const named = [
    ...Object.entries({ roleFrom, roleUntil }),
    ...services.flatMap(({ validFrom, validUntil }, index) =>
      Object.entries({ validFrom, validUntil }).map(([name, day]) => [`services.${index}.${name}`, day] as const),
    ),
  ]
  const issues = named.flatMap(([path, day]): Issue[] => (day ? [{ path, message: 'periodOnceAccepted' }] : []))
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
}

async function refuseUnoffered(db: Db, organizationId: string, services: readonly { serviceId: string }[]) {
  const offered = await listOfferedServiceIds(db, organizationId)
  const issues = services.flatMap(({ serviceId }, index): Issue[] =>
    offered.has(serviceId) ? [] : [{ path: `services.${index}.serviceId`, message: 'serviceNotInOrganization' }],
  )
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
}
