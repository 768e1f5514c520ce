import { sql } from 'kysely'
import type { Period, RolePeriod } from '#contract/fields/period.ts'
import type { Issue } from '#contract/problem.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { insertMemberships } from '#server/accounts/directory-groups.ts'
import { applyToMember, freeingSeats, takeBackService } from '#server/accounts/group-access.ts'
import type { StoredUser } from '#server/accounts/stored-user.repository.ts'
import { withdrawInvitation } from '#server/features/invitations/invitations.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { refuseEndOfLastAdmin } from './last-admin.ts'
import { periodColumns, type Roled, sameTerms, termsColumns } from './terms.ts'

interface Role extends Period, RolePeriod {
  organizationId: string
  userRole: OrganizationRole
}
interface HandedOut extends Period {
  organizationId: string
  serviceId: string
  userRole: ServiceRole
  /** Null: groups alone give it. */
  source?: 'hand' | 'request' | null
}

const keyOf = (one: { organizationId: string; serviceId?: string }) => `${one.organizationId} ${one.serviceId ?? ''}`

/** The additions and changes between two lists. Sorted, so that all callers lock in the same order. */
function difference<Wanted extends Roled>(present: readonly Roled[], wanted: readonly Wanted[]) {
  const before = new Map(present.map((one) => [keyOf(one), one]))
  const sorted = [...wanted].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return {
    added: sorted.filter((one) => !before.has(keyOf(one))),
    changed: sorted.filter((one) => {
      const present = before.get(keyOf(one))
      return present !== undefined && !sameTerms(present, one)
    }),
  }
}

/** True if both lists are equal, ignoring the order. */
export function sameRoles(present: readonly Roled[], wanted: readonly Roled[]): boolean {
  const { added, changed } = difference(present, wanted)
  return present.length === wanted.length && added.length + changed.length === 0
}

/**
 * Makes a person a member of exactly these organisations. The caller must have locked the person's row. An organisation
 * with organisation sign-in takes somebody who has an account as a guest, by the word of the super user.
 *
 * @param isNew the account is opened for these organisations
 * @throws Problem 422 with the path of an organisation that does not exist
 */
export async function setMemberships(
  db: Db,
  user: StoredUser,
  wanted: readonly Role[],
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> {
  const { accountId, email } = user
  const { added, changed } = difference(user.organizations, wanted)
  const gone = difference(wanted, user.organizations).added
  await refuseMissing(db, wanted, added)
  for (const { organizationId } of gone) await removeMembership(db, { accountId, organizationId })
  // A new member's invitation is no longer needed.
  for (const { organizationId } of added) await withdrawInvitation(db, { email, organizationId })
  if (added.length > 0)
    await insertMemberships(
      db,
      added.map(({ organizationId, userRole, ...terms }) => ({
        accountId,
        organizationId,
        userRole,
        ...termsColumns({ userRole, ...terms }),
        entry: isNew ? ('opened' as const) : ('guest' as const),
      })),
    )
  for (const one of changed) await setMembership(db, { accountId, ...one })
  for (const one of [...added, ...changed]) {
    const before = user.organizations.find(({ organizationId }) => organizationId === one.organizationId)
    await refuseEndOfLastAdmin(db, { accountId, before, after: { ...before, ...one } })
  }
}

async function refuseMissing(db: Db, wanted: readonly Role[], added: readonly Role[]): Promise<void> {
  const ids = added.map((one) => one.organizationId)
  if (ids.length === 0) return
  const rows = await db
    .selectFrom('organizations')
    .select('organizationId')
    .where('organizationId', 'in', ids)
    .execute()
  const there = new Set(rows.map((one) => one.organizationId))
  const issues = added
    .filter((one) => !there.has(one.organizationId))
    .map((one): Issue => ({ path: `organizations.${wanted.indexOf(one)}.organizationId`, message: 'notFound' }))
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
}

/** Removes a person from an organisation, with the services there. */
export const removeMembership = (db: Db, member: { accountId: string; organizationId: string }) =>
  freeingSeats(db, member, () =>
    db
      .deleteFrom('memberships')
      .where('accountId', '=', member.accountId)
      .where('organizationId', '=', member.organizationId)
      .execute(),
  )

/** Sets the role, and the days that are given. */
export async function setMembership(
  db: Db,
  { accountId, organizationId, userRole, ...terms }: Role & { accountId: string },
): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ userRole, ...termsColumns({ userRole, ...terms }) })
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .execute()
  // Who comes back has waited while the membership had ended.
  if (terms.validUntil !== undefined) await applyToMember(db, { accountId, organizationId })
}

interface Assignments {
  accountId: string
  present: readonly HandedOut[]
  wanted: readonly HandedOut[]
}

/**
 * Sets the services of a person. The caller must have locked the person's row. A database constraint guards the seats.
 *
 * @throws Problem 422 with the path of a service that its organisation does not have, or whose organisation the person is
 * not a member of
 */
export async function setAssignments(db: Db, { accountId, present, wanted }: Assignments): Promise<void> {
  const { added, changed } = difference(present, wanted)
  const gone = difference(wanted, present).added
  // What groups alone give is taken back there.
  if (gone.some(({ source }) => source === null)) throw new Problem(409, 'serviceComesByGroup')
  const touched = [...gone, ...added]
  // Lock the rows that count the seats, always in the same order.
  const { rows: offered } = await sql<{ organizationId: string; serviceId: string }>`
    select organization_id as "organizationId", service_id as "serviceId" from organization_services
    where (organization_id, service_id) in (
      select * from unnest(${touched.map((one) => one.organizationId)}::uuid[], ${touched.map((one) => one.serviceId)}::uuid[]))
      and exists (select from memberships
        where memberships.organization_id = organization_services.organization_id and account_id = ${accountId})
    order by organization_id, service_id for no key update`.execute(db)
  const there = new Set(offered.map(keyOf))
  const issues = added
    .filter((one) => !there.has(keyOf(one)))
    .map((one): Issue => ({ path: `services.${wanted.indexOf(one)}.serviceId`, message: 'serviceNotInOrganization' }))
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
  for (const one of gone) await takeBackService(db, { accountId, ...one })
  if (added.length > 0)
    await db
      .insertInto('serviceAssignments')
      .values(
        added.map(({ organizationId, serviceId, userRole, source, ...period }) => ({
          ...{ accountId, organizationId, serviceId, userRole, source: source ?? ('hand' as const) },
          ...periodColumns(period),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['accountId', 'organizationId', 'serviceId'])
          .doUpdateSet({
            source: (given) => given.ref('excluded.source'),
            userRole: (given) => given.ref('excluded.userRole'),
            validFrom: (given) => given.ref('excluded.validFrom'),
            validUntil: (given) => given.ref('excluded.validUntil'),
          })
          .where('serviceAssignments.source', 'is', null),
      )
      .execute()
  for (const { organizationId, serviceId, userRole, source: _, ...period } of changed)
    await db
      .updateTable('serviceAssignments')
      .set({ userRole, source: sql`coalesce(source, 'hand')`, ...periodColumns(period) })
      .where('accountId', '=', accountId)
      .where('organizationId', '=', organizationId)
      .where('serviceId', '=', serviceId)
      .execute()
}
