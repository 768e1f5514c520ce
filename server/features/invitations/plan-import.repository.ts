import type { Db } from '#server/platform/database/database.ts'

/** The services of an organisation, with their seats. With `lock` none can be removed until the transaction ends. */
export const findOfferedServices = (db: Db, organizationId: string, lock: boolean) => {
  const query = db
    .selectFrom('organizationServices')
    .innerJoin('services', 'services.serviceId', 'organizationServices.serviceId')
    .select(['services.serviceId', 'name', 'maxNumberOfUsers', 'seatsUsed'])
    .where('organizationId', '=', organizationId)
    .orderBy('services.serviceId')
  return (lock ? query.forKeyShare('organizationServices') : query).execute()
}
export type Offered = Awaited<ReturnType<typeof findOfferedServices>>[number]

/** The given addresses that are already members of the organisation, or invited to it. */
export const findExistingAddresses = async (
  db: Db,
  organizationId: string,
  emails: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (emails.length === 0) return new Set()
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.accountId', 'u.accountId')
    .select('u.email')
    .where('m.organizationId', '=', organizationId)
    .where('u.email', 'in', emails)
    .union(
      db
        .selectFrom('invitations')
        .select('email')
        .where('organizationId', '=', organizationId)
        .where('email', 'in', emails),
    )
    .execute()
  return new Set(rows.map(({ email }) => email))
}

/** The groups of an organisation by their names in lower case. */
export async function findGroupsByName(db: Db, organizationId: string) {
  const rows = await db
    .selectFrom('groups')
    .select(['groupId', 'name'])
    .where('organizationId', '=', organizationId)
    .execute()
  return new Map(rows.map((group) => [group.name.normalize('NFC').toLowerCase(), group]))
}
