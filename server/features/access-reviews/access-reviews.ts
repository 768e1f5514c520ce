// The public interface of this room: the nightly job that begins reviews and reminds of them, and what waits.
import type { Kysely } from 'kysely'
import { reviewReminderDays } from '#contract/access-reviews/access-reviews.ts'
import type { Config } from '#server/config.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import * as repository from './access-reviews.repository.ts'
import { findReview, listDue, openReview, takeReminders } from './access-reviews.repository.ts'
import * as reading from './read-reviews.ts'
import { tellReviewers } from './review-mails.ts'

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

interface Place {
  organizationId: string
  name: string
}

async function runAccessReviews({ db, outbox, clock, config }: AccessReviewOptions): Promise<void> {
  const now = clock()
  const months = config.accessReviewMonths
  const tell = async (trx: Db, organization: Place, state: 'begins' | 'waits') => {
    const review = await findReview(trx, organization.organizationId)
    if (review) await tellReviewers(trx, outbox, { ...review, ...organization }, state)
  }
  const due = months === 0 ? [] : await listDue(db, now, months)
  for (const organization of due)
    await inTransaction(db, async (trx) => {
      if (await beginReview(trx, organization, now)) await tell(trx, organization, 'begins')
    })
  const before = new Date(now.getTime() - reviewReminderDays * day)
  await inTransaction(db, async (trx) => {
    for (const organization of await takeReminders(trx, { before, now })) await tell(trx, organization, 'waits')
  })
}

/** Begins a review with its event. False where another node was first, or nobody there has a service. */
export async function beginReview(db: Db, { organizationId, name }: Place, now: Date): Promise<boolean> {
  const rows = await openReview(db, organizationId, now)
  if (!rows) return false
  const target = { id: organizationId, label: name }
  const event = { name: 'startAccessReview', target, after: { rows }, organizationIds: [organizationId] } as const
  await writeAuditEvent(db, event, { requestId, now })
  return true
}

/** How many rows of the organisation's open review wait for a decision. */
export const countUndecided = repository.countUndecided

/** How many open reviews of all organisations are overdue. */
export const countOverdueReviews = (db: Db, now: Date) => repository.countOpen(db, reading.overdueBefore(now))

/** What somebody is asked to review, in the organisations that the session reaches. */
export const listAskedReviews = reading.listAsked
