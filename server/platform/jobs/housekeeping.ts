import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { KeptFor } from '#contract/kept.ts'
import { writeRepeatedFailures } from '../audit/audit.ts'
import { checkAuditChain } from '../audit/audit-check.ts'
import type { ColdSettings } from '../audit/cold/cold-options.ts'
import { moveOldMonths } from '../audit/cold/move-months.ts'
import { removeOldFiles } from '../audit/cold/remove-files.ts'
import { forgetNames } from '../audit/forget-names.ts'
import { removeOldEvents } from '../audit/retention.ts'
import type { Clock } from '../clock.ts'
import type { DB } from '../database/database-types.ts'
import { advanceKeyRotation } from '../secrets/key-rotation.ts'
import type { Keys } from '../secrets/keys.ts'
import { removeExpired } from './remove-expired.ts'
import type { RecurringJob } from './run-job.ts'

interface HousekeepingOptions {
  db: Kysely<DB>
  keys: Keys
  clock: Clock
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  kept: KeptFor & ColdSettings
}

/** The recurring jobs of the platform. */
export function createHousekeepingJobs({ db, keys, clock, log, kept }: HousekeepingOptions): RecurringJob[] {
  return [
    { name: 'remove-expired', cron: '23 * * * *', run: () => removeExpired(db, clock(), kept) },
    { name: 'forget-names', cron: '41 3 * * *', run: () => forgetNames(db, clock(), kept) },
    { name: 'audit-head', cron: '*/5 * * * *', run: () => logAuditHead(db, log) },
    { name: 'audit-months', cron: '11 1 * * *', run: () => addAuditMonths(db) },
    {
      name: 'audit-retention',
      cron: '37 2 * * *',
      run: () => removeOldEvents({ db, keys, now: clock(), retention: kept }),
    },
    {
      name: 'audit-cold',
      cron: '17 3 * * *',
      async run() {
        const options = { db, keys, now: clock(), log, settings: kept }
        await removeOldFiles(options)
        await moveOldMonths(options, 1)
      },
    },
    { name: 'audit-failures', cron: '2 * * * *', run: () => writeRepeatedFailures(db, clock()) },
    { name: 'audit-verify', cron: '7 4 * * *', run: () => checkAuditChain({ db, keys, now: clock(), log }) },
    {
      name: 'advance-keys',
      cron: '*/5 * * * *',
      async run() {
        const { promoted, retired } = await advanceKeyRotation({ db, keys, now: clock() })
        if (promoted.length + retired.length > 0) log.info({ promoted, retired }, 'keys rotated')
      },
    },
  ]
}

/** Makes the partitions of the audit log for the next months. What has none goes into a partition for the rest. */
async function addAuditMonths(db: Kysely<DB>): Promise<void> {
  // A reader who takes long must not make everybody else wait behind this: the next run tries again.
  await db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '2s'`.execute(trx)
    await sql`select add_audit_months()`.execute(trx)
  })
}

/** Logs the head of the audit chain outside the database, so that rows that are cut off later can be detected. */
export async function logAuditHead(db: Kysely<DB>, log: Pick<FastifyBaseLogger, 'info'>): Promise<void> {
  const { rows } = await sql<{ head: string }>`
    select seq || ':' || encode(hash, 'hex') as head from audit_head`.execute(db)
  log.info({ auditHead: rows[0]?.head }, 'audit chain')
}
