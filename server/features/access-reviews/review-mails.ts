import { fallbackLanguage } from '#contract/languages.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { AccessReviewMail } from '#server/mails/templates/access-review.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { listAdmins, listWaitingReviewers, type Reviewer } from './reviewers.repository.ts'

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
 * Mails the admins, and the members who are asked for a service of which something is undecided.
 *
 * @returns how many people were mailed
 */
export async function tellReviewers(
  db: Db,
  outbox: Outbox,
  { organizationId, name: organizationName, reviewId }: Place & { reviewId: string },
  state: 'begins' | 'waits',
): Promise<number> {
  const admins = await listAdmins(db, organizationId)
  const adminIds = new Set(admins.map(({ accountId }) => accountId))
  const asked = (await listWaitingReviewers(db, reviewId)).filter(({ accountId }) => !adminIds.has(accountId))
  const place = { organizationId, organizationName }
  for (const admin of admins) await mailReviewer(db, outbox, admin, { ...place, state, services: null })
  for (const { services, ...person } of asked)
    await mailReviewer(db, outbox, person, { ...place, state: 'asked', services: services.join(', ') })
  return admins.length + asked.length
}
