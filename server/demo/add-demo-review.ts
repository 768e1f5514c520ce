import { beginReview } from '#server/features/access-reviews/access-reviews.ts'
import { found } from '#server/platform/problem.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'

const unused = ['Arkiv', 'Statistik', 'Utbildning']

/** An access review that began three days ago, for the organisation's admins to decide. Some services no one there uses. */
export async function addReview(
  { db, now }: DemoLoad,
  organizationIds: ReadonlyMap<string, string>,
  serviceIds: ReadonlyMap<string, string>,
): Promise<void> {
  const name = 'Region Älvdal'
  const organizationId = found(organizationIds.get(name))
  await db
    .insertInto('servicePreferences')
    .columns(['accountId', 'serviceId', 'lastUsed'])
    .expression((from) =>
      from
        .selectFrom('serviceAssignments as a')
        .innerJoin('users as u', 'u.accountId', 'a.accountId')
        .select(['a.accountId', 'a.serviceId', 'u.lastLogin'])
        .where('a.organizationId', '=', organizationId)
        .where('u.lastLogin', 'is not', null)
        .where(
          'a.serviceId',
          'not in',
          unused.map((one) => found(serviceIds.get(one))),
        ),
    )
    .execute()
  await beginReview(db, { organizationId, name }, new Date(now.getTime() - 3 * dayMs))
}
