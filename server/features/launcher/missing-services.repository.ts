import { sql } from 'kysely'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

interface Member {
  accountId: string
  organizationIds: readonly string[]
}

/** What these of a person's organisations have and the person lacks, in Swedish alphabetical order. */
function missingServices(db: Db, { accountId, organizationIds }: Member) {
  return db
    .selectFrom(currentMemberships)
    .innerJoin('organizationServices as os', 'os.organizationId', 'm.organizationId')
    .innerJoin('services as s', 's.serviceId', 'os.serviceId')
    .leftJoin('serviceCategories as c', 'c.name', 's.category')
    .leftJoin('accessRequests as r', (join) =>
      join
        .onRef('r.accountId', '=', 'm.accountId')
        .onRef('r.organizationId', '=', 'os.organizationId')
        .onRef('r.serviceId', '=', 'os.serviceId'),
    )
    .select(['os.organizationId', 's.serviceId', 's.name', 's.description', 's.icon', 's.category', 's.requestable'])
    .select(['c.position as categoryPosition', 'r.requestId', 'r.refusedBecause'])
    .where('m.accountId', '=', accountId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(currentAssignments)
            .select('a.serviceId')
            .whereRef('a.accountId', '=', 'm.accountId')
            .whereRef('a.organizationId', '=', 'os.organizationId')
            .whereRef('a.serviceId', '=', 'os.serviceId'),
        ),
      ),
    )
    .where(sql<boolean>`os.organization_id = any (${organizationIds}::uuid[])`)
    .orderBy('s.name')
    .orderBy('s.serviceId')
    .orderBy('os.organizationId')
}

interface Asked {
  requestId: string | null
  refusedBecause: string | null
}
const withRequest = <Row extends Asked>({ requestId, refusedBecause, ...service }: Row) => ({
  ...service,
  request: requestId ? { refusedBecause } : null,
})

/** The services that the person may request. */
export async function listRequestable(db: Db, member: Member) {
  const rows = await missingServices(db, member).where('s.requestable', '=', true).execute()
  return rows.map(withRequest)
}

export async function findMissingService(db: Db, member: Member, serviceId: string) {
  const row = await missingServices(db, member).where('s.serviceId', '=', serviceId).executeTakeFirst()
  return row && withRequest(row)
}
