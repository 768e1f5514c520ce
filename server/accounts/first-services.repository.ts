import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Takes a seat in each service for new people that has one left. @returns the values of the audit event */
export async function giveServices(db: Db, member: { accountId: string; organizationId: string }) {
  // Lock the rows that count the seats, always in the same order, so that no seat is taken concurrently.
  const wanted = await db
    .selectFrom('organizationServices as o')
    .innerJoin('services as s', 's.serviceId', 'o.serviceId')
    .select(['o.serviceId', 's.name'])
    .select(sql<boolean>`o.max_number_of_users is null or o.seats_used < o.max_number_of_users`.as('isFree'))
    .where('o.organizationId', '=', member.organizationId)
    .where('o.atFirstSignIn', '=', true)
    .orderBy('o.serviceId')
    .forNoKeyUpdate('o')
    .execute()
  const seats = wanted.filter(({ isFree }) => isFree)
  if (seats.length > 0)
    await db
      .insertInto('serviceAssignments')
      .values(seats.map(({ serviceId }) => ({ ...member, serviceId, userRole: 'regular' as const })))
      .execute()
  const names = (isFree: boolean) => wanted.filter((one) => one.isFree === isFree).map(({ name }) => name)
  return { services: names(true).join(', '), servicesWithoutSeat: names(false).join(', ') }
}
