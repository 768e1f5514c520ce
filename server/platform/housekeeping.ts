import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { RecurringJob } from './background.ts'
import type { Clock } from './clock.ts'
import type { DB } from './database-types.ts'
import { repeatableFor } from './idempotency.ts'
import { advanceKeys } from './key-rotation.ts'
import type { Keys } from './keys.ts'

interface HousekeepingOptions {
  db: Kysely<DB>
  keys: Keys
  clock: Clock
  log: Pick<FastifyBaseLogger, 'info'>
}

const days = 24 * 3600 * 1000

/** What the floor does again and again. */
export function housekeeping({ db, keys, clock, log }: HousekeepingOptions): RecurringJob[] {
  return [
    { name: 'removeExpired', cron: '23 * * * *', run: () => removeExpired(db, clock()) },
    { name: 'auditHead', cron: '*/5 * * * *', run: () => logAuditHead(db, log) },
    {
      name: 'advanceKeys',
      cron: '*/5 * * * *',
      async run() {
        const { promoted, retired } = await advanceKeys({ db, keys, now: clock() })
        if (promoted.length + retired.length > 0) log.info({ promoted, retired }, 'keys rotated')
      },
    },
  ]
}

/**
 * Removes what expired a week ago: expiry itself is checked at every use, this only frees the space. Messages are kept
 * for ninety days after they left, for whoever asks whether a mail was sent.
 */
export async function removeExpired(db: Kysely<DB>, now: Date): Promise<void> {
  const aWeekAgo = new Date(now.getTime() - 7 * days)
  await db.deleteFrom('oneTimeThings').where('expiresAt', '<', aWeekAgo).execute()
  await db.deleteFrom('sessions').where('expiresAt', '<', aWeekAgo).execute()
  await db.deleteFrom('providerArtifacts').where('expiresAt', '<', aWeekAgo).execute()
  await db
    .deleteFrom('idempotencyKeys')
    .where('createdAt', '<', new Date(now.getTime() - repeatableFor))
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
}

/** Puts the chain's head where the database cannot reach it: a tail that is cut off later shows against this line. */
export async function logAuditHead(db: Kysely<DB>, log: Pick<FastifyBaseLogger, 'info'>): Promise<void> {
  const { rows } = await sql<{ head: string }>`
    select seq || ':' || encode(hash, 'hex') as head from audit_head`.execute(db)
  log.info({ auditHead: rows[0]?.head }, 'audit chain')
}
