import { fallbackLanguage } from '#contract/languages.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { AccessReviewMail } from '#server/mails/templates/access-review.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { listWaitingReviewers, type Reviewer } from './reviewers.repository.ts'

/** One mail about a review, to somebody who takes part in it. */
export const mailReviewer = (
  db: Db,
  outbox: Outbox,
  { accountId, email, firstName, preferredLanguage }: Reviewer,
  values: Omit<AccessReviewMail, 'firstName'>,
) =>
  outbox.mail(
    db,
    mailMessage({
      template: 'access-review',
      to: { address: email, accountId },
      language: preferredLanguage ?? fallbackLanguage,
      organizationId: values.organizationId,
      values: { firstName, ...values },
    }),
  )

interface Place {
  organizationId: string
  name: string
}

/**
 * Mails those who decide, and the members who are asked for a service of which something is undecided.
 *
 * @returns how many people were mailed
 */
export async function tellReviewers(
  db: Db,
  outbox: Outbox,
  { organizationId, name: organizationName, reviewId }: Place & { reviewId: string },
  state: 'begins' | 'waits',
): Promise<number> {
  const deciders = await listHolders(db, organizationId, ['decideReviews'])
  const deciderIds = new Set(deciders.map(({ accountId }) => accountId))
  const asked = (await listWaitingReviewers(db, reviewId)).filter(({ accountId }) => !deciderIds.has(accountId))
  const place = { organizationId, organizationName }
  for (const decider of deciders) await mailReviewer(db, outbox, decider, { ...place, state, services: null })
  for (const { services, ...person } of asked)
    await mailReviewer(db, outbox, person, { ...place, state: 'asked', services: services.join(', ') })
  return deciders.length + asked.length
}
