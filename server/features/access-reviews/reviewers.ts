import { type accessReviews, reviewReminderHours } from '#contract/access-reviews/access-reviews.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
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

type Ask = RequestContext<typeof accessReviews.ask>

/** Asks a member for one service. Who was asked for it today already gets no second mail. */
export async function askReviewer(context: Ask): Promise<undefined> {
  const { actor, params, input, limits, now } = context
  const mail = [{ name: 'reviewerMail', key: `${params.id} ${input.serviceId} ${input.accountId}` }] as const
  await withAttemptLimit(context, [{ name: 'reviewerAsked', key: actor.accountId }], async () => {
    const isFirst = await limits.take(context.db, mail, now).then(() => true, refuseAllButLimits)
    try {
      await context.transact((db, audit) => ask({ ...context, db, audit }, isFirst))
    } catch (error) {
      if (isFirst) await limits.refund(context.db, mail, now)
      throw error
    }
  })
  return undefined
}

function refuseAllButLimits(error: unknown): false {
  if (error instanceof Problem && error.status === 429) return false
  throw error
}

async function ask(
  { db, audit, params, input, actor, now, outbox }: Ask & { audit: (entry: AuditEntry) => void },
  withMail: boolean,
): Promise<void> {
  const organization = found(await findOrganization(db, params.id))
  const review = await lockReview(db, actor, params.id)
  const person = found(await repository.findReviewer(db, params.id, input.accountId))
  const service = found(await repository.findReviewedService(db, review, input.serviceId))
  if (!(await repository.addReviewer(db, review, { ...input, now }))) throw new Problem(409, 'reviewerAlreadyAsked')
  const place = { organizationId: params.id, organizationName: organization.name }
  if (withMail) await mailReviewer(db, outbox, person, { ...place, state: 'asked', services: service.name })
  audit({
    name: 'askAccessReviewer',
    target: { id: person.accountId, label: person.email },
    after: { organization: organization.name, service: service.name },
    organizationIds: [params.id],
  })
}

/** No longer asks a member. */
export async function dismissReviewer(context: RequestContext<typeof accessReviews.dismiss>): Promise<undefined> {
  const { db, params, actor, audit } = context
  const organization = found(await findOrganization(db, params.id))
  const review = await lockReview(db, actor, params.id)
  const { email } = found(await repository.removeReviewer(db, review.reviewId, params))
  const service = await repository.findReviewedService(db, review, params.serviceId)
  audit({
    name: 'dismissAccessReviewer',
    target: { id: params.accountId, label: email },
    before: { organization: organization.name, service: service?.name ?? null },
    organizationIds: [params.id],
  })
  return undefined
}
