import type { Db } from '#server/platform/database.ts'

/** The services that an organisation has, with their seats; locked, nobody else takes one until the transaction ends. */
export const findOfferedServices = (db: Db, organizationId: string, lock: boolean) => {
  const query = db
    .selectFrom('organizationServices')
    .innerJoin('services', 'services.serviceId', 'organizationServices.serviceId')
    .select(['services.serviceId', 'name', 'maxNumberOfUsers', 'seatsUsed'])
    .where('organizationId', '=', organizationId)
    .orderBy('services.serviceId')
  return (lock ? query.forUpdate('organizationServices') : query).execute()
}
export type Offered = Awaited<ReturnType<typeof findOfferedServices>>[number]

/** Who of these has an account, and belongs to the organisation already. */
export const findPresent = async (db: Db, organizationId: string, emails: readonly string[]) => {
  if (emails.length === 0) return []
  return db
    .selectFrom('users as u')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.accountId', '=', 'u.accountId').on('m.organizationId', '=', organizationId),
    )
    .select(({ eb }) => ['u.email', 'u.pending', eb('m.accountId', 'is not', null).as('isMember')])
    .where('u.email', 'in', emails)
    .execute()
}
