import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { idempotencyTtl } from '#contract/idempotency.ts'
import { samlSignInDays } from '#contract/saml-sign-ins.ts'
import { writeRepeatedFailures } from '../audit/audit.ts'
import { checkAuditChain } from '../audit/audit-check.ts'
import { forgetLabels } from '../audit/forget-labels.ts'
import { type AuditRetention, removeOldEvents } from '../audit/retention.ts'
import type { Clock } from '../clock.ts'
import type { DB } from '../database/database-types.ts'
import { advanceKeyRotation } from '../secrets/key-rotation.ts'
import type { Keys } from '../secrets/keys.ts'
import type { RecurringJob } from './run-job.ts'

interface HousekeepingOptions {
  db: Kysely<DB>
  keys: Keys
  clock: Clock
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  retention: AuditRetention
}

const days = 24 * 3600 * 1000

/** The recurring jobs of the platform. */
export function createHousekeepingJobs({ db, keys, clock, log, retention }: HousekeepingOptions): RecurringJob[] {
  return [
    { name: 'remove-expired', cron: '23 * * * *', run: () => removeExpired(db, clock()) },
    { name: 'forget-labels', cron: '41 3 * * *', run: () => forgetLabels(db, clock()) },
    { name: 'audit-head', cron: '*/5 * * * *', run: () => logAuditHead(db, log) },
    { name: 'audit-months', cron: '11 1 * * *', run: () => addAuditMonths(db) },
    {
      name: 'audit-retention',
      cron: '37 2 * * *',
      run: () => removeOldEvents({ db, keys, now: clock(), retention }),
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

/**
 * Deletes rows that expired a week ago. This only frees space: expiry itself is checked at every use. Messages are kept
 * for ninety days, to answer whether a mail was sent, and daily figures for 400, to compare with the year before.
 */
export async function removeExpired(db: Kysely<DB>, now: Date): Promise<void> {
  const aWeekAgo = new Date(now.getTime() - 7 * days)
  await db.deleteFrom('oneTimeThings').where('expiresAt', '<', aWeekAgo).execute()
  await db.deleteFrom('sessions').where('expiresAt', '<', aWeekAgo).execute()
  await db
    .deleteFrom('samlSignIns')
    .where('createdAt', '<', new Date(now.getTime() - samlSignInDays * days))
    .execute()
  await db.deleteFrom('providerArtifacts').where('expiresAt', '<', aWeekAgo).execute()
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', new Date(now.getTime() - idempotencyTtl))
    .execute()
  await db
    .deleteFrom('limits')
    .where('windowEndsAt', '<', now)
    .where((row) => row.or([row('blockedUntil', 'is', null), row('blockedUntil', '<', now)]))
    .execute()
  await db
    .deleteFrom('outboxMessages')
    .where('state', '!=', 'queued')
    .where('finishedAt', '<', new Date(now.getTime() - 90 * days))
    .execute()
  await db
    .deleteFrom('logoutDeliveries')
    .where('state', '!=', 'queued')
    .where('createdAt', '<', new Date(now.getTime() - 90 * days))
    .execute()
  // Nothing is kept of an address that is neither somebody's nor invited any more.
  await sql`
    delete from refused_addresses r
    where not exists (select from users where email = r.address)
      and not exists (select from invitations where email = r.address)`.execute(db)
  await db
    .deleteFrom('dailyPeople')
    .where('day', '<', new Date(now.getTime() - 2 * days))
    .execute()
  await db
    .deleteFrom('dailyFigures')
    .where('day', '<', new Date(now.getTime() - 400 * days))
    .execute()
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
