import { type Kysely, sql } from 'kysely'
import { type FailedMessage, failedMessageDays, type SystemState } from '#contract/system/system.ts'
import { unsealedSeconds } from '#server/platform/audit/sealer.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { nodeGoneAfterMs } from '#server/platform/jobs/heartbeat.ts'
import { nextRun } from '#server/platform/jobs/next-run.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { System } from '#server/platform/system.ts'

/** The processes of the last day, the oldest first. */
export async function listNodes(db: Kysely<DB>, { now, nodeId }: { now: Date; nodeId: string }) {
  const rows = await db.selectFrom('nodes').selectAll().orderBy('startedAt').orderBy('nodeId').execute()
  return rows.map(({ startedAt, seenAt, ...node }) => ({
    ...node,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    alive: now.getTime() - seenAt.getTime() < nodeGoneAfterMs,
    here: node.nodeId === nodeId,
  }))
}

export async function readDatabase({ db, pool }: Pick<System, 'db' | 'pool'>): Promise<SystemState['database']> {
  const { rows } = await sql<Omit<SystemState['database'], 'pool'>>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::integer as "mostConnections",
      (select count(*) from pg_stat_replication) as replicas`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the database said nothing about itself')
  const { totalCount, idleCount, waitingCount, options } = pool
  const most = options.max ?? totalCount
  return { ...found, pool: { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most } }
}

/** Each recurring job with its last and its next run. */
export async function listJobs(db: Kysely<DB>, jobs: readonly Pick<RecurringJob, 'name' | 'cron'>[], now: Date) {
  const runs = await db.selectFrom('jobRuns').selectAll().execute()
  return jobs.map(({ name, cron }) => {
    const run = runs.find((one) => one.name === name)
    return {
      name,
      startedAt: run?.startedAt.toISOString() ?? null,
      finishedAt: run?.finishedAt?.toISOString() ?? null,
      failed: run?.failed ?? false,
      nextRun: nextRun(cron, now).toISOString(),
    }
  })
}

/** The keys that sign what leaves the portal, and those that decrypt what companies send. */
export async function listSigningKeys(db: Kysely<DB>): Promise<SystemState['keys']> {
  const rows = await db
    .selectFrom('keys')
    .select(['purpose', 'state', 'stateSince'])
    .where('purpose', 'in', ['oidcSigning', 'samlSigning', 'samlEncryption', 'auditSigning'])
    .where('state', '<>', 'retired')
    .orderBy('purpose')
    .orderBy('stateSince', 'desc')
    .execute()
  return rows.map(({ purpose, state, stateSince }) => ({
    purpose: purpose as SystemState['keys'][number]['purpose'],
    state: state as SystemState['keys'][number]['state'],
    since: stateSince.toISOString(),
  }))
}

export async function readAudit(db: Kysely<DB>): Promise<SystemState['audit']> {
  const head = await db.selectFrom('auditHead').select('seq').executeTakeFirstOrThrow()
  const { unsealed } = await db
    .selectFrom('auditEvents')
    .where('sealed', '=', false)
    .select(({ fn }) => fn.countAll<number>().as('unsealed'))
    .executeTakeFirstOrThrow()
  const check = await db.selectFrom('auditChecks').selectAll().orderBy('checkedAt', 'desc').limit(1).executeTakeFirst()
  const whole = await db
    .selectFrom('auditChecks')
    .select('checkedAt')
    .where('afterSeq', '=', 0)
    .orderBy('checkedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const removal = await db
    .selectFrom('auditCheckpoints')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    head: head.seq,
    unsealed,
    unsealedSeconds: await unsealedSeconds(db),
    lastCheck: check ? { at: check.checkedAt.toISOString(), seq: check.seq, fault: check.fault } : null,
    wholeCheckAt: whole?.checkedAt.toISOString() ?? null,
    lastRemoval: removal
      ? {
          at: removal.createdAt.toISOString(),
          removed: removal.removed,
          changesBefore: removal.changeBefore.toISOString(),
          signInsBefore: removal.signInBefore.toISOString(),
          unknownSignInsBefore: removal.unknownSignInBefore.toISOString(),
        }
      : null,
  }
}

const lately = (now: Date) => new Date(now.getTime() - failedMessageDays * 24 * 3_600_000)
/** Messages `m` that failed lately; invitations are sent again from the list of people. */
const isListed = (now: Date) => sql<boolean>`m.state = 'failed' and m.finished_at >= ${lately(now)}
  and not exists (select from invitations i where i.outbox_id = m.id)`

type StoredMessage = Omit<FailedMessage, 'failedAt'> & { failedAt: Date }

/** Messages that could not be sent lately, the newest first, and how many there are. */
export async function listFailedMessages(db: Db, now: Date, { offset, limit }: { offset: number; limit: number }) {
  const { rows } = await sql<StoredMessage>`
    select id as "messageId", kind, template, recipient, reason, finished_at as "failedAt" from outbox_messages m
    where ${isListed(now)} order by finished_at desc, id offset ${offset} limit ${limit}`.execute(db)
  return { rows, totalCount: await countFailedMessages(db, now) }
}

export async function countFailedMessages(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from outbox_messages m where ${isListed(now)}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function findFailedMessage(db: Db, now: Date, messageId: string) {
  const { rows } = await sql<{ template: string }>`
    select template from outbox_messages m where id = ${messageId} and ${isListed(now)}`.execute(db)
  return rows[0]
}
