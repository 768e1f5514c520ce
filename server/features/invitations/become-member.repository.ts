import { sql } from 'kysely'
import type { OrganizationRole } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'

interface NewMember {
  accountId: string
  organizationId: string
}

/** How a person came in, which says what sign-in the organisation asks for (product-rules 11.4). */
export type Entry = 'opened' | 'joined' | 'guest'

export const insertMembership = (db: Db, member: NewMember & { userRole: OrganizationRole; entry: Entry }) =>
  db.insertInto('memberships').values(member).execute()

/**
 * Takes a seat in each service of an invitation that has one left.
 *
 * @returns the names of the services without a free seat
 */
export async function takeSeats(
  db: Db,
  { accountId, organizationId, invitationId }: NewMember & { invitationId: string },
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
    .map(({ serviceId, userRole }) => ({ accountId, organizationId, serviceId, userRole }))
  if (seats.length > 0) await db.insertInto('serviceAssignments').values(seats).execute()
  return promised.filter(({ isFree }) => !isFree).map(({ name }) => name)
}

/** Finds the inviter, if they may still see people of the organisation. */
export const findInviter = (db: Db, { accountId, organizationId }: NewMember) =>
  db
    .selectFrom('users as u')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .where('u.accountId', '=', accountId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('u.superUser', '=', true),
        exists(
          selectFrom('memberships as m')
            .select('m.accountId')
            .whereRef('m.accountId', '=', 'u.accountId')
            .where('m.organizationId', '=', organizationId)
            .where('m.userRole', '=', 'organizationAdmin'),
        ),
      ]),
    )
    .executeTakeFirst()
