import { sql } from 'kysely'
import { serviceAdminNeeds } from '#contract/organization-roles/role-permissions.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { type Acting, insertMemberships } from '#server/accounts/directory-groups.ts'
import { applyToMembers } from '#server/accounts/group-access.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

interface NewMember {
  accountId: string
  organizationId: string
}

/** How a person came in, which says what sign-in the organisation asks for (product-rules 11.4). */
export type Entry = 'opened' | 'joined' | 'guest'

interface Terms {
  userRole: OrganizationRole
  validFrom: string | null
  validUntil: string | null
  /** The last day of the role. */
  roleUntil: string | null
  /** Without another end it has the one that the organisation gives to guests, except where nobody else could extend it. */
  guest: boolean
}

export const insertMembership = (
  db: Db,
  { validFrom, validUntil, roleUntil, guest, ...member }: NewMember & Terms & { entry: Entry },
  acting: Acting | undefined,
) =>
  insertMemberships(
    db,
    [
      {
        ...member,
        ...dayColumns({ validFrom, validUntil, roleUntil }),
        ...(guest && validUntil === null && { validUntil: guestsEnd(member, validFrom) }),
      },
    ],
    acting,
  )

const guestsEnd = (
  { organizationId, userRole }: Pick<NewMember & Terms, 'organizationId' | 'userRole'>,
  validFrom: string | null,
) => sql<Date | null>`(
  select greatest(access_day(), ${validFrom}::date) + guest_days from organizations
  where organization_id = ${organizationId} and (${userRole} <> 'organizationAdmin'
    or exists (select from standing_admins where organization_id = ${organizationId})))`

/** The role that an invitation gives, with its last day: none that its promiser has lost since. */
export async function findPromisedRole(
  db: Db,
  invitationId: string,
): Promise<{ userRole: OrganizationRole; roleUntil: string | null }> {
  const { rows } = await sql<{ userRole: OrganizationRole; roleUntil: string | null }>`
    select user_role as "userRole", until::text as "roleUntil"
    from invitations cross join promised_until(promised_by, organization_id, every_permission())
    where invitation_id = ${invitationId} and user_role <> 'regular'`.execute(db)
  return rows[0] ?? { userRole: 'regular', roleUntil: null }
}

const needs = [...serviceAdminNeeds]

/**
 * Takes a seat in each service of an invitation that has one left, as far as their promisers may still hand it out, with the
 * roles that they may still give.
 *
 * @returns the names of the services, and of those without a free seat
 */
export async function takeSeats(
  db: Db,
  { accountId, organizationId, invitationId }: NewMember & { invitationId: string },
): Promise<{ services: string[]; withoutSeat: string[] }> {
  // Lock the rows that count the seats, always in the same order, so that no seat is taken concurrently.
  const promised = await db
    .selectFrom('invitationServices as p')
    .innerJoin('organizationServices as o', (join) =>
      join.onRef('o.organizationId', '=', 'p.organizationId').onRef('o.serviceId', '=', 'p.serviceId'),
    )
    .innerJoin('services as s', 's.serviceId', 'p.serviceId')
    .select(['p.serviceId', 's.name'])
    .select(
      sql<ServiceRole>`case when exists (select from promised_until(p.promised_by, p.organization_id, ${needs}::text[]))
        then p.user_role else 'regular' end`.as('userRole'),
    )
    .select(
      sql<string | null>`case when p.user_role = 'serviceAdmin'
        then (select until::text from promised_until(p.promised_by, p.organization_id, ${needs}::text[])) end`.as(
        'validUntil',
      ),
    )
    .select(sql<boolean>`o.max_number_of_users is null or o.seats_used < o.max_number_of_users`.as('isFree'))
    .where('p.invitationId', '=', invitationId)
    .where(sql<boolean>`exists (select from promised_until(p.promised_by, p.organization_id, array['assignServices']))`)
    .orderBy('p.serviceId')
    .forNoKeyUpdate('o')
    .execute()
  const seats = promised
    .filter(({ isFree }) => isFree)
    .map(({ serviceId, userRole, validUntil }) => ({
      ...{ accountId, organizationId, serviceId, userRole },
      ...dayColumns({ validUntil }),
    }))
  if (seats.length > 0) await db.insertInto('serviceAssignments').values(seats).execute()
  await sql`select take_promised_roles(${invitationId}::uuid, ${accountId}::uuid)`.execute(db)
  const names = (isFree: boolean) => promised.filter((one) => one.isFree === isFree).map(({ name }) => name)
  return { services: names(true).toSorted((a, b) => a.localeCompare(b, 'sv')), withoutSeat: names(false) }
}

/** Locks the groups of an invitation, as they were: before the seats, as whatever changes a group does. */
export const lockPromisedGroups = (db: Db, invitationId: string) =>
  sql`select from groups where group_id in (select group_id from invitation_groups where invitation_id = ${invitationId})
    order by group_id for share`.execute(db)

/** Puts a new member in the groups of an invitation whose promisers may still do so. @returns their names */
export async function takeGroups(
  db: Db,
  { accountId, organizationId, invitationId }: NewMember & { invitationId: string },
): Promise<string[]> {
  const { rows } = await sql<{ groupId: string; name: string }>`
    with promised as (
      select p.group_id, p.valid_from, p.valid_until, g.name from invitation_groups p join groups g using (group_id)
      where p.invitation_id = ${invitationId}
        and exists (select from promised_until(p.promised_by, p.organization_id, every_permission()))),
    taken as (
      insert into group_members (group_id, organization_id, account_id, valid_from, valid_until)
      select group_id, ${organizationId}::uuid, ${accountId}::uuid, valid_from, valid_until from promised order by group_id)
    select group_id as "groupId", name from promised order by name`.execute(db)
  const groupIds = rows.map(({ groupId }) => groupId)
  await applyToMembers(db, { groupIds, organizationId }, [accountId])
  return rows.map(({ name }) => name)
}

/** Finds the inviter, if they may still see people of the organisation. */
export const findInviter = (db: Db, { accountId, organizationId }: NewMember) =>
  db
    .selectFrom('users as u')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .where('u.accountId', '=', accountId)
    .where(
      sql<boolean>`exists (select from held_until(${accountId}::uuid, ${organizationId}::uuid, array['readPeople']))`,
    )
    .executeTakeFirst()
