import { sql } from 'kysely'
import type { DirectoryUser } from '#contract/directory/directory.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import { serviceRolesOf } from '#server/oidc/reach/organizations-claim.ts'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

interface Place {
  limit: number
  after?: string | undefined
}

const withService = (db: Db, serviceId: string) =>
  db
    .selectFrom('organizationServices as s')
    .innerJoin('organizations as o', 'o.organizationId', 's.organizationId')
    .select(['o.organizationId as id', 'o.name', 'o.organizationNumber as number'])
    .where('s.serviceId', '=', serviceId)

/** One more than asked for where there is a next page. */
export const listOrganizations = (db: Db, serviceId: string, { limit, after }: Place) =>
  withService(db, serviceId)
    .$if(after !== undefined, (some) => some.where('o.organizationId', '>', after ?? ''))
    .orderBy('o.organizationId')
    .limit(limit + 1)
    .execute()

export const findOrganization = (db: Db, serviceId: string, organizationId: string) =>
  withService(db, serviceId).where('o.organizationId', '=', organizationId).executeTakeFirst()

/** The people of a service in an organisation; one more than asked for where there is a next page. */
export async function listUsers(
  db: Db,
  { serviceId, organizationId }: { serviceId: string; organizationId: string },
  { limit, after }: Place,
): Promise<DirectoryUser[]> {
  const rows = await db
    .selectFrom(currentAssignments)
    .innerJoin(currentMemberships, (join) =>
      join.onRef('m.organizationId', '=', 'a.organizationId').onRef('m.accountId', '=', 'a.accountId'),
    )
    .innerJoin('users as u', 'u.accountId', 'a.accountId')
    .select(['u.accountId as id', 'u.firstName', 'u.lastName', 'u.email', 'u.preferredLanguage as locale'])
    .select(['m.userRole as memberRole', 'a.userRole', isAddressProven.as('emailVerified')])
    .select(serviceRolesOf(null).as('serviceRoles'))
    .select(sql<boolean>`not u.pending and u.passive_at is null`.as('active'))
    .where('a.serviceId', '=', serviceId)
    .where('a.organizationId', '=', organizationId)
    .$if(after !== undefined, (some) => some.where('a.accountId', '>', after ?? ''))
    .orderBy('a.accountId')
    .limit(limit + 1)
    .execute()
  return rows.map(({ firstName, lastName, memberRole, userRole, serviceRoles, ...rest }) => ({
    ...rest,
    name: [firstName, lastName].filter(Boolean).join(' ') || null,
    givenName: firstName,
    familyName: lastName,
    roles: [...[memberRole, userRole].filter((role) => role !== 'regular'), ...serviceRoles],
  }))
}
