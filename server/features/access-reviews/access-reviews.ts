// The public interface of this room: the nightly job that begins reviews and reminds of them.
import type { Kysely } from 'kysely'
import { reviewReminderDays } from '#contract/access-reviews/access-reviews.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import type { Config } from '#server/config.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import * as repository from './access-reviews.repository.ts'
import { listAdmins, listDue, openReview, takeReminders } from './access-reviews.repository.ts'

interface AccessReviewOptions {
  db: Kysely<DB>
  outbox: Outbox
  clock: Clock
  config: Pick<Config, 'accessReviewMonths'>
}

const requestId = 'access-reviews'
const day = 24 * 3_600_000

/** Before the working day begins in Sweden. May run at any time, as often as wanted and on several nodes at once. */
export const createAccessReviewsJob = (options: AccessReviewOptions): RecurringJob => ({
  name: 'access-reviews',
  cron: '29 2 * * *',
  run: () => runAccessReviews(options),
})

async function runAccessReviews({ db, outbox, clock, config }: AccessReviewOptions): Promise<void> {
  const now = clock()
  const months = config.accessReviewMonths
  const due = months === 0 ? [] : await listDue(db, now, months)
  for (const organization of due)
    await inTransaction(db, async (trx) => {
      if (await beginReview(trx, organization, now)) await tellAdmins(trx, outbox, organization, 'begins')
    })
  const before = new Date(now.getTime() - reviewReminderDays * day)
  await inTransaction(db, async (trx) => {
    for (const organization of await takeReminders(trx, { before, now }))
      await tellAdmins(trx, outbox, organization, 'waits')
  })
}

/** Begins a review with its event. False where another node was first, or nobody there has a service. */
export async function beginReview(
  db: Db,
  { organizationId, name }: { organizationId: string; name: string },
  now: Date,
): Promise<boolean> {
  const rows = await openReview(db, organizationId, now)
  if (!rows) return false
  const target = { id: organizationId, label: name }
  const event = { name: 'startAccessReview', target, after: { rows }, organizationIds: [organizationId] } as const
  await writeAuditEvent(db, event, { requestId, now })
  return true
}

async function tellAdmins(
  db: Db,
  outbox: Outbox,
  { organizationId, name: organizationName }: { organizationId: string; name: string },
  state: 'begins' | 'waits',
): Promise<void> {
  for (const { accountId, email, firstName, preferredLanguage } of await listAdmins(db, organizationId))
    await outbox.mail(
      db,
      mailMessage({
        template: 'access-review',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        organizationId,
        values: { firstName, organizationName, state },
      }),
    )
}

/** How many rows of open reviews wait for a decision; of one organisation, or of all. */
export const countUndecided = repository.countUndecided
