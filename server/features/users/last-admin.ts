import type { Actor } from '#contract/actor.ts'
import type { Period, RolePeriod } from '#contract/fields/period.ts'
import { can } from '#contract/permissions.ts'
import type { OrganizationRole } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { findOtherAdmin, findTerms, lockAdmins, readAccessDay } from './users.repository.ts'

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
  if (membership.userRole !== 'organizationAdmin') return
  const own = actor.accountId === accountId
  if (own ? query.force === 'true' : can(actor, 'manageUsers') || !isStanding(membership, await readAccessDay(db)))
    return
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

/** The last day on which somebody can act as admin; null: there is none. */
const endOf = ({ validUntil, roleUntil }: Terms) => [validUntil, roleUntil].filter((day) => day).sort()[0] ?? null

const isLater = (before: string | null | undefined, after: string | null | undefined) =>
  Boolean(before) && (!after || after > (before ?? ''))
const isEarlier = (before: string | null | undefined, after: string | null | undefined) =>
  Boolean(before) && (!after || after < (before ?? ''))

/**
 * Nobody gives an admin role for longer than they hold their own, and nobody extends their own membership or role.
 *
 * @throws Problem 403 `ownAccount` or `longerThanOwn`
 */
export async function refuseLongerThanOwn(
  db: Db,
  actor: Actor,
  { accountId, before, after }: { accountId: string; before: Terms; after: InOrganization },
): Promise<void> {
  if (can(actor, 'manageUsers')) return
  const extendsOwn =
    isLater(before.validUntil, after.validUntil) ||
    isEarlier(before.validFrom, after.validFrom) ||
    (after.userRole === 'organizationAdmin' &&
      (isLater(before.roleUntil, after.roleUntil) || isEarlier(before.roleFrom, after.roleFrom)))
  if (accountId === actor.accountId && extendsOwn) throw new Problem(403, 'ownAccount')
  if (after.userRole !== 'organizationAdmin') return
  const own = await findTerms(db, { accountId: actor.accountId, organizationId: after.organizationId })
  const ownEnd = own && endOf({ ...own, userRole: 'organizationAdmin' })
  if (ownEnd && isLater(ownEnd, endOf(after))) throw new Problem(403, 'longerThanOwn')
}
