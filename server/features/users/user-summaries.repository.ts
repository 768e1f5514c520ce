import { sql } from 'kysely'
import type { UserSummary } from '#contract/users.ts'
import type { Db } from '#server/platform/database.ts'

/** What of somebody's organisations and services a list shows; undefined: all of them. */
export interface SummaryScope {
  organizationIds?: readonly string[]
  servicesIn?: { organizationId: string; serviceIds?: readonly string[] }
}

interface Row extends Omit<UserSummary, 'lastActive'> {
  lastActive: Date | null
}

/** The lines of a list, in the order of the ids. */
export async function listSummaries(
  db: Db,
  ids: readonly string[],
  { organizationIds, servicesIn }: SummaryScope,
): Promise<UserSummary[]> {
  if (ids.length === 0) return []
  const inSight = organizationIds ? sql`and organization_id = any (${organizationIds}::uuid[])` : sql``
  const serviceIds = servicesIn?.serviceIds ? sql`and service_id = any (${servicesIn.serviceIds}::uuid[])` : sql``
  const ofOrganization = servicesIn ? sql`and a.organization_id = ${servicesIn.organizationId} ${serviceIds}` : sql``
  const { rows } = await sql<Row>`
    select account_id as "accountId", email, first_name as "firstName", last_name as "lastName",
      super_user as "superUser", pending, passive_at is not null as passive, last_active as "lastActive",
      (select coalesce(json_agg(json_build_object('organizationId', organization_id, 'name', name)
          order by name, organization_id), '[]')
        from memberships m join organizations using (organization_id)
        where m.account_id = users.account_id ${inSight}) as organizations,
      (select coalesce(json_agg(json_build_object('serviceId', service_id, 'name', name)
          order by name, service_id), '[]')
        from services where service_id in (
          select service_id from service_assignments a where a.account_id = users.account_id ${ofOrganization})
      ) as services
    from users where account_id = any (${ids}::uuid[])`.execute(db)
  const byId = new Map(rows.map((row) => [row.accountId, row]))
  // Somebody may have been erased since the ids were found.
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [{ ...row, lastActive: row.lastActive?.toISOString() ?? null }] : []
  })
}
