import type { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { type Actor, actsForOperator } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { lockOpenReview } from './access-reviews.repository.ts'
import type { Part } from './review-rows.repository.ts'
import { listAskedServices } from './reviewers.repository.ts'

/** True for those who decide about all of an organisation's review. */
export const decidesWhole = (actor: Actor, organizationId: string) => can(actor, 'decideReviews', { organizationId })

/** True for those who read all of it. */
export const readsWhole = (actor: Actor, organizationId: string) => can(actor, 'readReviews', { organizationId })

/**
 * What of a review the actor takes part in, or with `reads` sees. A member who is asked sees a part until its end begins, without
 * themselves.
 *
 * @throws Problem 404 for members who are not asked, as if there were no review
 */
export async function partOf(
  db: Db,
  actor: Actor,
  review: { reviewId: string; organizationId: string; endingAt: Date | null },
  { reads = false } = {},
): Promise<Part> {
  const { reviewId, organizationId, endingAt } = review
  const whole = reads ? readsWhole(actor, organizationId) : decidesWhole(actor, organizationId)
  if (whole) return { reviewId, organizationId, serviceIds: undefined }
  const serviceIds = endingAt ? [] : await listAskedServices(db, reviewId, actor.accountId)
  if (serviceIds.length === 0) throw new Problem(404, 'notFound')
  return { reviewId, organizationId, serviceIds, except: actor.accountId }
}

/**
 * Of a review that is open for decisions; with `ending` also while it ends.
 *
 * @throws Problem 409 `reviewNotOpen` or `reviewEnding`; 404 for members, who cannot be asked then
 */
export async function lockReview(db: Db, actor: Actor, organizationId: string, { ending = false } = {}) {
  const review = await lockOpenReview(db, organizationId)
  if (review && (ending || !review.endingAt)) return review
  if (!decidesWhole(actor, organizationId)) throw new Problem(404, 'notFound')
  throw new Problem(409, review ? 'reviewEnding' : 'reviewNotOpen')
}

/** Who decides, as the organisation's admins read it: not who of the operator it was. */
export const deciderOf = (
  { actor, config, session }: Pick<RequestContext<typeof accessReviews.finish>, 'actor' | 'config' | 'session'>,
  organizationId: string,
) => (actsForOperator(actor, organizationId) ? config.companyName : session.user.email)
