import { type accessReviews, reviewReminderHours } from '#contract/access-reviews/access-reviews.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findOrganization, noteReminder } from './access-reviews.repository.ts'
import { mailReviewer, tellReviewers } from './review-mails.ts'
import { lockReview } from './review-part.ts'
import * as repository from './reviewers.repository.ts'

/** Mails everybody who still has to decide, if the last mail is not from today. */
export async function remindReviewers(context: RequestContext<typeof accessReviews.remind>): Promise<undefined> {
  const { db, params, actor, audit, now, outbox } = context
  const { name } = found(await findOrganization(db, params.id))
  const review = await lockReview(db, actor, params.id)
  const since = now.getTime() - reviewReminderHours * 3_600_000
  if (review.toldAt && review.toldAt.getTime() > since) throw new Problem(409, 'reviewJustReminded')
  await noteReminder(db, review.reviewId, now)
  const told = await tellReviewers(db, outbox, { ...review, name }, 'waits')
  audit({
    name: 'remindAccessReview',
    target: { id: params.id, label: name },
    after: { people: told },
    organizationIds: [params.id],
  })
  return undefined
}

/** Asks a member for one service. */
export async function askReviewer(context: RequestContext<typeof accessReviews.ask>): Promise<undefined> {
  const { db, params, input, actor, audit, now, outbox } = context
  const organization = found(await findOrganization(db, params.id))
  const review = await lockReview(db, actor, params.id)
  const person = found(await repository.findReviewer(db, params.id, input.accountId))
  const service = found(await repository.findReviewedService(db, review, input.serviceId))
  if (!(await repository.addReviewer(db, review, { ...input, now }))) throw new Problem(409, 'reviewerAlreadyAsked')
  const place = { organizationId: params.id, organizationName: organization.name }
  await mailReviewer(db, outbox, person, { ...place, state: 'asked', services: service.name })
  audit({
    name: 'askAccessReviewer',
    target: { id: person.accountId, label: person.email },
    after: { organization: organization.name, service: service.name },
    organizationIds: [params.id],
  })
  return undefined
}

/** No longer asks a member. */
export async function dismissReviewer(context: RequestContext<typeof accessReviews.dismiss>): Promise<undefined> {
  const { db, params, actor, audit } = context
  const organization = found(await findOrganization(db, params.id))
  const review = await lockReview(db, actor, params.id)
  const asked = (await repository.listReviewers(db, review.reviewId)).find(
    ({ accountId, serviceId }) => accountId === params.accountId && serviceId === params.serviceId,
  )
  const { email } = found(asked)
  await repository.removeReviewer(db, review.reviewId, params)
  const service = await repository.findReviewedService(db, review, params.serviceId)
  audit({
    name: 'dismissAccessReviewer',
    target: { id: params.accountId, label: email },
    before: { organization: organization.name, service: service?.name ?? null },
    organizationIds: [params.id],
  })
  return undefined
}
