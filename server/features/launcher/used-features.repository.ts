import { sql } from 'kysely'
import type { UsedFeature } from '#contract/session/session.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Of what each of these organisations has something; one that has nothing is left out. */
export async function listUsedFeatures(
  db: Db,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, UsedFeature[]>> {
  if (organizationIds.length === 0) return new Map()
  const { rows } = await sql<{ organizationId: string; uses: UsedFeature[] }>`
    select organization_id as "organizationId", array_remove(array[
      case when exists (select from groups g where g.organization_id = o.organization_id) then 'groups' end,
      case when exists (select from access_reviews r where r.organization_id = o.organization_id and r.finished_at is null)
        then 'accessReview' end,
      case when exists (select from organization_services x join services s using (service_id)
          where x.organization_id = o.organization_id and s.requestable)
        or exists (select from access_requests q where q.organization_id = o.organization_id and q.refused_because is null)
        then 'accessRequests' end], null) as uses
    from organizations o where organization_id = any (${organizationIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ organizationId, uses }) => [organizationId, uses]))
}
