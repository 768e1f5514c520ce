import { sql } from 'kysely'
import type pg from 'pg'
import type * as z from 'zod/mini'
import type { organizationService } from '#contract/organizations/organization-services.ts'
import { giveFreeSeats } from '#server/accounts/group-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'

/** The services of an organisation, with their seats. */
export async function listOrganizationServices(db: Db, organizationId: string) {
  return (await listServicesOf(db, [organizationId])).get(organizationId) ?? []
}

type OrganizationService = z.infer<typeof organizationService>

/** The services of several organisations, by organisation. */
export async function listServicesOf(db: Db, organizationIds: readonly string[]) {
  const services = new Map<string, OrganizationService[]>(organizationIds.map((id) => [id, []]))
  if (services.size === 0) return services
  const rows = await db
    .selectFrom('organizationServices')
    .innerJoin('services', 'services.serviceId', 'organizationServices.serviceId')
    .select(['organizationId', 'services.serviceId', 'name', 'url', 'maxNumberOfUsers', 'seatsUsed', 'atFirstSignIn'])
    .where('organizationId', 'in', organizationIds)
    .orderBy('name')
    .orderBy('services.serviceId')
    .execute()
  for (const { organizationId, maxNumberOfUsers, atFirstSignIn, ...row } of rows)
    services.get(organizationId)?.push({
      ...row,
      ...(maxNumberOfUsers !== null && { maxNumberOfUsers }),
      ...(atFirstSignIn && { atFirstSignIn }),
    })
  return services
}

/**
 * The services of one member: the only ones of the organisation that a member may see. Among them are those that the member is
 * responsible for, and those that a group gives to whom the member puts in it.
 */
export const listOwnServices = (db: Db, { organizationId, accountId }: { organizationId: string; accountId: string }) =>
  db
    .selectFrom('services')
    .select(['serviceId', 'name', 'url'])
    .where(
      sql<boolean>`service_id in (
        select service_id from current_assignments a where organization_id = ${organizationId} and account_id = ${accountId}
        union select coalesce(g.service_id, s.scope_id)
        from grants s left join group_services g on g.group_id = s.scope_id
        where s.organization_id = ${organizationId} and s.account_id = ${accountId}
          and (s.role = 'serviceOwner' or g.service_id is not null))`,
    )
    .orderBy('name')
    .orderBy('serviceId')
    .execute()

interface Seats {
  serviceId: string
  maxNumberOfUsers: number | null
  atFirstSignIn?: boolean | undefined
}

/**
 * Gives an organisation these services with these seats, and no others. Removing a service deletes its assignments.
 *
 * @throws Problem 409 `serviceInUse` when people have a removed service, unless `force`
 * @throws Problem 409 `seatsInUse` when a limit is lower than the seats in use
 */
export async function setOrganizationServices(
  db: Db,
  { organizationId, services, force }: { organizationId: string; services: readonly Seats[]; force: boolean },
): Promise<void> {
  const kept = services.map((service) => service.serviceId)
  const present = await db
    .selectFrom('organizationServices')
    .select(['serviceId', 'seatsUsed', 'maxNumberOfUsers'])
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .execute()
  const removed = present.filter((row) => !kept.includes(row.serviceId))
  if (!force && removed.some((row) => row.seatsUsed > 0)) throw new Problem(409, 'serviceInUse')
  if (removed.length > 0)
    await db
      .deleteFrom('organizationServices')
      .where('organizationId', '=', organizationId)
      .where(
        'serviceId',
        'in',
        removed.map((row) => row.serviceId),
      )
      .execute()
  if (services.length === 0) return
  await db
    .insertInto('organizationServices')
    .values(services.map((service) => ({ organizationId, ...service })))
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'serviceId']).doUpdateSet({
        maxNumberOfUsers: (given) => given.ref('excluded.maxNumberOfUsers'),
        atFirstSignIn: (given) => given.ref('excluded.atFirstSignIn'),
      }),
    )
    .execute()
    .catch((error: pg.DatabaseError) => {
      // The same constraint also guards taking a seat; here the limit was lowered below the seats in use.
      if (error.constraint === 'seats') throw new Problem(409, 'seatsInUse')
      throw error
    })
  const before = new Map(present.map((row) => [row.serviceId, row.maxNumberOfUsers ?? Number.POSITIVE_INFINITY]))
  const withMore = services.filter(
    (one) =>
      (one.maxNumberOfUsers ?? Number.POSITIVE_INFINITY) > (before.get(one.serviceId) ?? Number.POSITIVE_INFINITY),
  )
  await giveFreeSeats(db, { organizationId, serviceIds: withMore.map(({ serviceId }) => serviceId) })
}
