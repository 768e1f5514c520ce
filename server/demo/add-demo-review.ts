import { beginReview } from '#server/features/access-reviews/access-reviews.ts'
import { found } from '#server/platform/problem.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'

/** An access review that began three days ago, for the organisation's admins to decide. */
export async function addReview({ db, now }: DemoLoad, organizationIds: ReadonlyMap<string, string>): Promise<void> {
  const name = 'Region Älvdal'
  const organizationId = found(organizationIds.get(name))
  await beginReview(db, { organizationId, name }, new Date(now.getTime() - 3 * dayMs))
}
