import { sql } from 'kysely'
import { beginReview } from '#server/features/access-reviews/access-reviews.ts'
import { found } from '#server/platform/problem.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'

const unused = ['Arkiv', 'Statistik', 'Utbildning']

/**
 * An access review that began three days ago, for the organisation's admins to decide: some services no one there uses. And
 * one of another organisation that is overdue, for the operator to see.
 */
export async function addReview(
  { db, now }: DemoLoad,
  organizationIds: ReadonlyMap<string, string>,
  serviceIds: ReadonlyMap<string, string>,
): Promise<void> {
  const name = 'Region Älvdal'
  const organizationId = found(organizationIds.get(name))
  await db
    .updateTable('serviceAssignments as a')
    .from('users as u')
    .set(({ ref }) => ({ lastUsed: ref('u.lastLogin') }))
    .whereRef('u.accountId', '=', 'a.accountId')
    .where('a.organizationId', '=', organizationId)
    .where(
      'a.serviceId',
      'not in',
      unused.map((one) => found(serviceIds.get(one))),
    )
    .execute()
  // Of the others the page of their sign-in says that nobody has signed in yet.
  await sql`
    update clients c set last_sign_in = (select max(a.last_used) from service_assignments a where a.service_id = c.service_id)`.execute(
    db,
  )
  await beginReview(db, { organizationId, name }, new Date(now.getTime() - 3 * dayMs))
  const late = 'Björkö Omsorg AB'
  const lateId = found(organizationIds.get(late))
  await beginReview(db, { organizationId: lateId, name: late }, new Date(now.getTime() - 40 * dayMs))
}
