import { sql } from 'kysely'
import type { OrganizationRole } from '#contract/roles.ts'
import { currentMemberships, dayColumns } from '#server/platform/database/current-access.ts'
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
  /** Without another end it has the one that the organisation gives to guests. */
  guest: boolean
}

export const insertMembership = (
  db: Db,
  { validFrom, validUntil, roleUntil, guest, organizationId, ...member }: NewMember & Terms & { entry: Entry },
) =>
  db
    .insertInto('memberships')
    .values({
      ...{ ...member, organizationId },
      ...dayColumns({ validFrom, validUntil, roleUntil }),
      ...(guest && validUntil === null && { validUntil: guestsEnd(organizationId, validFrom) }),
    })
    .execute()

const guestsEnd = (organizationId: string, validFrom: string | null) => sql<Date | null>`(
  select greatest(access_day(), ${validFrom}::date) + guest_days from organizations
  where organization_id = ${organizationId})`

/**
 * Takes a seat in each service of an invitation that has one left.
 *
 * @param withRoles false: nobody becomes the admin of a service, or gets a role of it
 * @returns the names of the services without a free seat
 */
export async function takeSeats(
  db: Db,
  { accountId, organizationId, invitationId, withRoles }: NewMember & { invitationId: string; withRoles: boolean },
): Promise<string[]> {
  // Lock the rows that count the seats, always in the same order, so that no seat is taken concurrently.
  const promised = await db
    .selectFrom('invitationServices as p')
    .innerJoin('organizationServices as o', (join) =>
      join.onRef('o.organizationId', '=', 'p.organizationId').onRef('o.serviceId', '=', 'p.serviceId'),
    )
    .innerJoin('services as s', 's.serviceId', 'p.serviceId')
    .select(['p.serviceId', 'p.userRole', 's.name'])
    .select(sql<boolean>`o.max_number_of_users is null or o.seats_used < o.max_number_of_users`.as('isFree'))
    .where('p.invitationId', '=', invitationId)
    .orderBy('p.serviceId')
    .forNoKeyUpdate('o')
    .execute()
  const seats = promised
    .filter(({ isFree }) => isFree)
    .map(({ serviceId, userRole }) => ({
      ...{ accountId, organizationId, serviceId },
      userRole: withRoles ? userRole : ('regular' as const),
    }))
  if (seats.length > 0) await db.insertInto('serviceAssignments').values(seats).execute()
  if (withRoles) await sql`select take_promised_roles(${invitationId}::uuid, ${accountId}::uuid)`.execute(db)
  return promised.filter(({ isFree }) => !isFree).map(({ name }) => name)
}

/** Finds the inviter, if they may still see people of the organisation, and the last day on which they do. */
export const findInviter = (db: Db, { accountId, organizationId }: NewMember) =>
  db
    .selectFrom('users as u')
    .leftJoin(currentMemberships, (join) =>
      join.onRef('m.accountId', '=', 'u.accountId').on('m.organizationId', '=', organizationId),
    )
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .select(
      sql<string | null>`case when not u.super_user then least(m.valid_until, m.role_until) end::text`.as('adminUntil'),
    )
    .where('u.accountId', '=', accountId)
    .where(({ or, eb }) => or([eb('u.superUser', '=', true), eb('m.userRole', '=', 'organizationAdmin')]))
    .executeTakeFirst()
