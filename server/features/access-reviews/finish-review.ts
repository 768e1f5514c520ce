import { type accessReviews, peopleAtOnce } from '#contract/access-reviews/access-reviews.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findOrganization, storeEnding, storeFinish } from './access-reviews.repository.ts'
import { deciderOf, lockReview } from './review-part.ts'
import { countEnded, listServices, listToEnd, storeLost } from './review-rows.repository.ts'
import { countRows, takeBack } from './take-back.ts'

/**
 * Takes one portion of a review's end. The first one closes the decisions, the last one writes the event. The lock of the
 * review keeps two callers apart, so each goes on where the other stopped.
 */
export async function finishReview(context: RequestContext<typeof accessReviews.finish>): Promise<{ left: number }> {
  const { db, params, input, actor, audit, now } = context
  const { name } = found(await findOrganization(db, params.id))
  const review = await lockReview(db, actor, params.id, { ending: true })
  const part = { ...review, serviceIds: undefined }
  const services = await listServices(db, part)
  const sum = (of: 'total' | 'done' | 'kept') => services.reduce((rows, one) => rows + one[of], 0)
  const people = await listToEnd(db, part)
  if (!review.endingAt) {
    if (sum('done') < sum('total')) throw new Problem(409, 'reviewUndecided')
    if (countRows(people) !== input.takeBack) throw new Problem(409, 'reviewChanged')
    await storeEnding(db, review.reviewId, { by: deciderOf(context, params.id), now })
  }
  const endingAt = review.endingAt ?? now
  // The clock of another node may have been ahead.
  const endedAt = now > endingAt ? now : endingAt
  const portion = people.slice(0, peopleAtOnce)
  const left = countRows(people.slice(peopleAtOnce))
  if (left === 0) {
    const before = review.endingAt ? await countEnded(db, review.reviewId, endingAt) : 0
    // First, because the events of what it takes back follow it.
    audit({
      name: 'finishAccessReview',
      target: { id: params.id, label: name },
      after: { rows: sum('total'), kept: sum('kept'), takenBack: before + countRows(portion) },
      organizationIds: [params.id],
    })
    await storeFinish(db, review.reviewId, endedAt)
  }
  await takeBack(context, part, portion, { now: endedAt })
  if (left === 0) await storeLost(db, part, endedAt)
  return { left }
}
