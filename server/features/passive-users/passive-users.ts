// The public interface of this room: the nightly job, and what it will do next.
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import * as coming from './coming-steps.repository.ts'
import { listDueIds, type Step } from './due-people.repository.ts'
import { reportToAdmins } from './report-to-admins.ts'
import { takeStep } from './take-step.ts'

interface PassiveUsersOptions {
  db: Kysely<DB>
  outbox: Outbox
  clock: Clock
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}

/** The nightly job: before the working day begins in Sweden. */
export const createPassiveUsersJob = (options: PassiveUsersOptions): RecurringJob => ({
  name: 'passive-users',
  cron: '17 2 * * *',
  run: () => runPassiveUsers(options),
})

const batchSize = 500

/**
 * Warns people whose accounts become passive soon, and makes those passive whose day has come (product-rules 7). May run
 * at any time, as often as wanted and on several nodes at once: each account has a transaction of its own that first reads
 * what is still due.
 *
 * @throws Error when accounts failed; the others are done, and the job is retried
 */
async function runPassiveUsers({ db, outbox, clock, log }: PassiveUsersOptions): Promise<void> {
  const context = { outbox, now: clock() }
  const taken: Partial<Record<Step, number>> = {}
  let failed = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = await listDueIds(db, { now: context.now, after, limit: batchSize })
    for (const accountId of ids) {
      try {
        const step = await inTransaction(db, (trx) => takeStep(context, trx, accountId))
        if (step) taken[step] = (taken[step] ?? 0) + 1
      } catch (error) {
        failed++
        log.error({ err: error, accountId }, 'the account could not be warned or made passive')
      }
    }
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
  }
  await reportToAdmins(db, context)
  log.info(taken, 'passive users')
  if (failed > 0) throw new Error(`passive-users failed for ${failed} accounts`)
}

/** A page of the accounts that get a warning or become passive in the coming days, the soonest first. */
export const listComing = coming.listComing

/** How many accounts become passive in the coming days. */
export const countComing = coming.countComing
