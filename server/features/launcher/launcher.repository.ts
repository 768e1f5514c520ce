import { sql } from 'kysely'
import type { OwnAdminService } from '#contract/launcher/launcher.ts'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

interface Person {
  accountId: string
  organizationId: string
}

const launcherServices = (db: Db, accountId: string) =>
  db
    .selectFrom(currentAssignments)
    .innerJoin('services as s', 's.serviceId', 'a.serviceId')
    .innerJoin('organizations as o', 'o.organizationId', 'a.organizationId')
    .leftJoin('serviceCategories as c', 'c.name', 's.category')
    .leftJoin('servicePreferences as p', (join) =>
      join.onRef('p.serviceId', '=', 'a.serviceId').onRef('p.accountId', '=', 'a.accountId'),
    )
    .select(['s.serviceId', 's.name', 's.url', 's.description', 's.icon', 's.category', 'a.userRole', 'a.lastUsed'])
    .select(['o.organizationId', 'o.name as organizationName', 'c.position as categoryPosition'])
    .select(sql<boolean>`coalesce(p.favourite, false)`.as('favourite'))
    .select(
      sql<string | null>`least(a.valid_until, (select m.valid_until from current_memberships m
        where m.account_id = a.account_id and m.organization_id = a.organization_id))::text`.as('endsOn'),
    )
    .where('a.accountId', '=', accountId)
    .orderBy('s.name')
    .orderBy('o.name')
    .orderBy('s.serviceId')
    .orderBy('o.organizationId')

/** A person's services in these organisations as the launcher shows them, in Swedish alphabetical order. */
export async function listLauncherServices(db: Db, accountId: string, organizationIds: readonly string[]) {
  const rows = await launcherServices(db, accountId)
    .where(sql<boolean>`a.organization_id = any (${organizationIds}::uuid[])`)
    .execute()
  return rows.map((row) => ({ ...row, lastUsed: row.lastUsed?.toISOString() ?? null }))
}

/** One of a person's services, in these organisations. */
export const findOwnService = (
  db: Db,
  {
    accountId,
    serviceId,
    organizationIds,
  }: { accountId: string; serviceId: string; organizationIds: readonly string[] },
) =>
  db
    .selectFrom(currentAssignments)
    .innerJoin('services as s', 's.serviceId', 'a.serviceId')
    .select(['s.url', 'a.organizationId'])
    .select(sql<number>`count(*) over ()`.as('places'))
    .select(({ selectFrom }) =>
      selectFrom('clients as c')
        .select('c.initiateLoginUri')
        .whereRef('c.serviceId', '=', 's.serviceId')
        .where('c.initiateLoginUri', 'is not', null)
        .orderBy('c.createdAt')
        .limit(1)
        .as('initiateLoginUri'),
    )
    .where('a.accountId', '=', accountId)
    .where('a.serviceId', '=', serviceId)
    .where(sql<boolean>`a.organization_id = any (${organizationIds}::uuid[])`)
    .limit(1)
    .executeTakeFirst()

interface Preference {
  accountId: string
  serviceId: string
  favourite: boolean
}

/** Remembers what a person likes. */
export const savePreference = (db: Db, preference: Preference) =>
  db
    .insertInto('servicePreferences')
    .values(preference)
    .onConflict((present) =>
      present.columns(['accountId', 'serviceId']).doUpdateSet({ favourite: preference.favourite }),
    )
    .execute()

/** Remembers when a person entered a service for an organisation. */
export const saveUse = (
  db: Db,
  { accountId, organizationId, serviceId }: Person & { serviceId: string },
  lastUsed: Date,
) =>
  db
    .updateTable('serviceAssignments')
    .set({ lastUsed })
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .where('serviceId', '=', serviceId)
    .execute()

/** Finds a membership. The caller cannot tell a missing organisation from one of others. */
export const findMembership = (db: Db, { accountId, organizationId }: Person) =>
  db
    .selectFrom(currentMemberships)
    .select('userRole')
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Finds an account by its id. */
export const findAccount = (db: Db, accountId: string) =>
  db.selectFrom('users').select('accountId').where('accountId', '=', accountId).executeTakeFirst()

/** The services that somebody administers, as their admin or as who is responsible for them, by name. */
export async function listAdminServices(db: Db, accountId: string): Promise<OwnAdminService[]> {
  const { rows } = await sql<OwnAdminService>`
    select service_id as "serviceId", s.name, s.url, organization_id as "organizationId", o.name as "organizationName",
      'serviceAdmin' as "userRole"
    from (
      select service_id, organization_id from current_assignments where account_id = ${accountId} and user_role = 'serviceAdmin'
      union select scope_id, organization_id from grants
      where account_id = ${accountId} and role = 'serviceOwner') as own
      join services s using (service_id) join organizations o using (organization_id)
    order by s.name, o.name, service_id, organization_id`.execute(db)
  return rows
}
