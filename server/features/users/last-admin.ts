import { type Actor, ownsService } from '#contract/actor.ts'
import type { Period, RolePeriod } from '#contract/fields/period.ts'
import {
  type RolePermission,
  rolePermissions,
  serviceAdminNeeds,
} from '#contract/organization-roles/role-permissions.ts'
import { can } from '#contract/permissions.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { listGrants } from '#server/accounts/grants.repository.ts'
import { hasStandingAdmin, lockAdmins } from '#server/accounts/own-permissions.repository.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { findOtherAdmin, readAccessDay } from './users.repository.ts'

interface Terms extends Period, RolePeriod {
  userRole: OrganizationRole
}
interface InOrganization extends Terms {
  organizationId: string
}

interface Departure {
  accountId: string
  /** The membership that ends, or loses its role. */
  membership: InOrganization
  query: { force?: 'true' | 'false' | undefined }
}

/** Whether somebody can act as admin today and every day from now on. */
const isStanding = ({ userRole, validFrom, validUntil, roleFrom, roleUntil }: Terms, today: string) =>
  userRole === 'organizationAdmin' &&
  !validUntil &&
  !roleUntil &&
  [validFrom, roleFrom].every((day) => !day || day <= today)

/**
 * Asks before an admin gives up the own role where nobody else can administer the organisation. Afterwards only the
 * operator could appoint someone. An admin whose own role ends cannot take it from the only one whose does not.
 *
 * @throws Problem 409 `lastAdmin` unless `force`, 409 `lastAdminStays`
 */
export async function askLastAdmin(db: Db, actor: Actor, { accountId, membership, query }: Departure): Promise<void> {
  const own = actor.accountId === accountId
  if (own ? query.force === 'true' : can(actor, 'manageUsers')) return
  const isAdmin = own && membership.userRole === 'organizationAdmin'
  // By whatever role.
  if (!isAdmin && !(await hasStandingAdmin(db, membership.organizationId, accountId))) return
  await lockAdmins(db, membership.organizationId)
  if (await findOtherAdmin(db, { accountId, organizationId: membership.organizationId })) return
  throw new Problem(409, own ? 'lastAdmin' : 'lastAdminStays')
}

/**
 * An organisation that has an admin has one without an end. Call it after the change.
 *
 * @throws Problem 409 `lastAdminStays` where a role gets an end, or begins later, and no other admin is left
 */
export async function refuseEndOfLastAdmin(
  db: Db,
  { accountId, before, after }: { accountId: string; before: Terms | undefined; after: InOrganization },
): Promise<void> {
  if (after.userRole !== 'organizationAdmin') return
  const today = await readAccessDay(db)
  const wasLimited = before?.userRole === 'organizationAdmin' && !isStanding(before, today)
  if (wasLimited || isStanding(after, today)) return
  await lockAdmins(db, after.organizationId)
  const { organizationId } = after
  if (!(await findOtherAdmin(db, { accountId, organizationId }))) throw new Problem(409, 'lastAdminStays')
}

/** What somebody has in an organisation. */
interface Held {
  membership: InOrganization
  services: readonly ({ serviceId: string; userRole: ServiceRole } & Period)[]
}

/** The last day on which somebody can act as admin; null: there is none. */
const endOf = ({ validUntil, roleUntil }: Period & RolePeriod) =>
  [validUntil, roleUntil].filter((day) => day).sort()[0] ?? null

interface Power extends Period {
  permissions: readonly RolePermission[]
  serviceId?: string
}

/** What lets somebody decide there, by a name of it, each with its first and last day within those of the membership. */
function powersOf(
  { membership, services }: Held,
  grants: readonly (Power & { role: string; scopeId: string | null })[],
) {
  const within = ({ validFrom, validUntil, permissions, serviceId }: Power) => ({
    permissions,
    serviceId,
    from: [membership.validFrom, validFrom]
      .filter((day) => day)
      .sort()
      .at(-1),
    until: endOf({ validUntil: membership.validUntil, roleUntil: validUntil }),
  })
  const { userRole, roleFrom, roleUntil } = membership
  const whole = { permissions: rolePermissions, validFrom: roleFrom, validUntil: roleUntil }
  return new Map([
    ...(userRole === 'organizationAdmin' ? [['organization', within(whole)] as const] : []),
    ...services
      .filter((one) => one.userRole === 'serviceAdmin')
      .map((one) => [`service ${one.serviceId}`, within({ ...one, permissions: serviceAdminNeeds })] as const),
    ...grants.map((one) => [`role ${one.role} ${one.scopeId}`, within(one)] as const),
  ])
}

const isLater = (before: string | null | undefined, after: string | null | undefined) =>
  Boolean(before) && (!after || after > (before ?? ''))
const isEarlier = (before: string | null | undefined, after: string | null | undefined) =>
  Boolean(before) && (!after || after < (before ?? ''))

/**
 * Nobody extends their own membership or role, or gives an admin role for longer than they hold their own.
 *
 * @throws Problem 403 `ownAccount`, `moreThanOwn` or `longerThanOwn`
 */
export async function refuseLongerThanOwn(
  db: Db,
  actor: Actor,
  { accountId, before, after }: { accountId: string; before: Held; after: Held },
): Promise<void> {
  if (can(actor, 'manageUsers')) return
  const [was, is] = [before.membership, after.membership]
  const extendsOwn =
    isLater(was.validUntil, is.validUntil) ||
    isEarlier(was.validFrom, is.validFrom) ||
    (is.userRole === 'organizationAdmin' &&
      (isLater(was.roleUntil, is.roleUntil) || isEarlier(was.roleFrom, is.roleFrom)))
  if (accountId === actor.accountId && extendsOwn) throw new Problem(403, 'ownAccount')
  await refuseLongerRoles(db, actor, { accountId, before, after })
}

/**
 * Nobody gives a role, of the organisation or of the admin of a service, without holding what it allows, or for longer.
 *
 * @param before undefined: all that the person has afterwards counts as given
 * @throws Problem 403 `moreThanOwn` or `longerThanOwn`
 */
export async function refuseLongerRoles(
  db: Db,
  actor: Actor,
  { accountId, before, after }: { accountId: string; before: Held | undefined; after: Held },
): Promise<void> {
  if (can(actor, 'manageUsers')) return
  const { organizationId } = after.membership
  const place = { accountId, organizationId }
  const grants = await listGrants(db, place)
  const present = before && powersOf(before, grants)
  for (const [power, { permissions, serviceId, from, until }] of powersOf(after, grants)) {
    const had = present?.get(power)
    if (had && !isLater(had.until, until) && !isEarlier(had.from, from)) continue
    // Who is responsible for a service would go on deciding after that has ended.
    const isOwner = serviceId && ownsService(actor, { organizationId, serviceId })
    if (isOwner && accountId === actor.accountId && !can(actor, 'appointServiceAdmins', { organizationId }))
      throw new Problem(403, 'ownAccount')
    await refuseMoreThanOwn(db, actor, { organizationId, permissions, serviceId, until })
  }
}
