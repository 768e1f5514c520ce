import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './database-types.ts'
import { isLost } from './lost-connection.ts'

/** Milliseconds between questions how far the replica is. */
const askEvery = 500
/** A standby ends a query that its primary's vacuum makes impossible (`ERRCODE_T_R_SERIALIZATION_FAILURE`). */
const recoveryConflict = '40001'

/** A replica of the database that answers what may be a few seconds old (`DATABASE_READ_URL`). */
export interface ReadCopy {
  /** Where to read, while the replica is no further behind than the limit; undefined: read from the primary. */
  current(): Kysely<DB> | undefined
  /** Seconds that it is behind at most; undefined where it does not answer. Source: positions in the write-ahead log. */
  lag(): number | undefined
  /** Notes that a query has failed there. @returns whether the primary may answer it instead */
  failed(error: unknown): boolean
  close(): Promise<void>
}

interface ReadCopyOptions {
  replica: { db: Kysely<DB>; pool: pg.Pool; close(): Promise<void> }
  primary: Pick<pg.Pool, 'query'>
  /** Seconds. */
  maxLag: number
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Watches a replica, which is not used before it has been seen to follow this primary. Never throws. */
export function watchReadCopy({ replica, primary, maxLag, log }: ReadCopyOptions): ReadCopy {
  // The replica has everything that was committed before this moment of the monotonic clock.
  let caughtUpAt = Number.NEGATIVE_INFINITY
  let mark: Awaited<ReturnType<typeof positionOf>> | undefined
  let reason = ''
  let wasUsed: boolean | undefined
  const ended = new AbortController()

  const lag = () => (performance.now() - caughtUpAt) / 1000
  const isUsed = () => lag() <= maxLag

  async function ask(): Promise<void> {
    const asked = mark ?? (await positionOf(primary))
    mark = asked
    const { rows } = await replica.pool.query(
      `select system_identifier::text = $1 and timeline_id = $2
          and (pg_is_in_recovery() or pg_postmaster_start_time()::text = $3) as follows,
        not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $4::pg_lsn as has
       from pg_control_system(), pg_control_checkpoint()`,
      [asked.cluster, asked.timeline, asked.started, asked.position],
    )
    const { follows, has } = rows[0]
    reason = follows ? 'too far behind' : 'it does not follow this primary'
    if (!follows) mark = undefined
    if (!follows || !has) return
    caughtUpAt = Math.max(caughtUpAt, asked.at)
    mark = undefined
  }

  function say(): void {
    if (isUsed() === wasUsed) return
    wasUsed = isUsed()
    if (wasUsed) log.info('lists are read from the replica')
    else log.warn({ reason }, 'lists are read from the primary: the replica is not used')
  }

  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      await ask().catch((error: Error & { code?: string }) => {
        reason = error.code ?? error.message
      })
      say()
      await wait(askEvery, undefined, { ref: false, signal: ended.signal }).catch(() => {})
    }
  }
  const watching = watch()

  return {
    current: () => (isUsed() ? replica.db : undefined),
    lag: () => (Number.isFinite(caughtUpAt) ? lag() : undefined),
    failed(error) {
      if (!isLost(error) && (error as { code?: unknown } | null)?.code !== recoveryConflict) return false
      if (isLost(error)) caughtUpAt = Number.NEGATIVE_INFINITY
      return true
    },
    async close() {
      ended.abort()
      await replica.close()
      await watching
    },
  }
}

/**
 * What a replica must have replayed to know all that is committed now, and what tells it from another server: a primary of before
 * a fail-over, a restored backup and what follows these have another timeline, or follow nobody.
 */
async function positionOf(primary: Pick<pg.Pool, 'query'>) {
  const at = performance.now()
  const { rows } = await primary.query<{ position: string; timeline: number; cluster: string; started: string }>(
    `select position::text, ('x' || left(pg_walfile_name(position), 8))::bit(32)::integer as timeline,
       system_identifier::text as cluster, pg_postmaster_start_time()::text as started
     from pg_current_wal_lsn() as position, pg_control_system()`,
  )
  const [row] = rows
  if (!row) throw new Error('the primary does not say where it is')
  return { at, ...row }
}
