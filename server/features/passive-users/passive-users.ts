// The public interface of this room: the nightly job, and what it will do next.
import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { daysBefore, graceDays, isLastAdmin, listDueIds, type Step, watchedAccounts } from './due-people.ts'
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

/** What will happen to an account. Times that have passed mean the coming night. */
export interface ComingStep {
  accountId: string
  nextWarningAt: Date | null
  passiveAt: Date
}

interface Range {
  now: Date
  /** Looks this many days ahead. */
  days: number
  /** Only members of this organisation. */
  organizationId?: string
}

interface Preview extends Range {
  offset: number
  limit: number
}

/** A page of the accounts that get a warning or become passive in the coming days, the soonest first. */
export async function listComing(db: Db, preview: Preview): Promise<{ totalCount: number; items: ComingStep[] }> {
  const { offset, limit } = preview
  const { rows } = await sql<ComingStep & { total: number }>`
    select *, count(*) over () as total from (${comingSteps(preview)}) coming
    where least("nextWarningAt", "passiveAt") <= ${endOf(preview)}
    order by "passiveAt", "accountId" offset ${offset} limit ${limit}`.execute(db)
  const [first] = rows
  // Past the end no row tells the total.
  if (!first && offset > 0) return { ...(await listComing(db, { ...preview, offset: 0, limit: 1 })), items: [] }
  return { totalCount: first?.total ?? 0, items: rows }
}

/** How many accounts become passive in the coming days. */
export async function countComing(db: Db, range: Range): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${comingSteps(range)}) coming where "passiveAt" <= ${endOf(range)}`.execute(db)
  return rows[0]?.count ?? 0
}

const endOf = ({ now, days }: Range) => sql`${now}::timestamptz + make_interval(days => ${days}::integer)`

function comingSteps({ now, days, organizationId }: Range): RawBuilder<unknown> {
  const ofOrganization = organizationId
    ? // The times of people who belong elsewhere too would tell when they were last active there.
      sql`and u.account_id in (select account_id from memberships where organization_id = ${organizationId}::uuid)
          and not exists (
            select from memberships e where e.account_id = u.account_id and e.organization_id <> ${organizationId}::uuid)`
    : sql``
  return sql`
    select u.account_id as "accountId",
      case
        when d.due <= ${now} then null
        when p.days > 14 and w.days_before is null and d.due > ${now}::timestamptz + interval '1 day'
          then greatest(d.due - interval '14 days', ${now}::timestamptz)
        when p.days > 1 and (w.days_before is null or w.days_before > 1)
          then greatest(d.due - interval '1 day', ${now}::timestamptz)
      end as "nextWarningAt",
      greatest(d.due, ${now}::timestamptz, case when ${isLastAdmin}
        then case when w.days_before = 0 then w.sent_at else greatest(d.due, ${now}::timestamptz) end
          + make_interval(days => ${graceDays}::integer) end) as "passiveAt"
    ${watchedAccounts(now, days + daysBefore.firstWarning)} ${ofOrganization}`
}
