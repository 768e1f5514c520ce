import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Events that one transaction seals: about a tenth of a second of work. */
const batchSize = 2000
/** Milliseconds between looks at what waits: the first while there is something, doubled up to the second while there is not. */
const shortestPause = 250
const longestPause = 2000

/**
 * Appends all events that are committed to the chain. Where the machine is so busy that a batch does not fit in the time of a
 * statement, the next one is a tenth of it, so that a slow sealer falls behind but never stops.
 *
 * @param waits up to a second for another process that does so; otherwise this is left to that one
 * @returns how many were appended
 */
export async function sealAuditEvents(db: Db, { waits = false } = {}): Promise<number> {
  let sum = 0
  let batch = batchSize
  for (;;) {
    try {
      const { rows } = await sql<{ sealed: number }>`select seal_audit_events(${batch}, ${waits}) as sealed`.execute(db)
      const sealed = rows[0]?.sealed ?? 0
      sum += sealed
      if (sealed < batch) return sum
    } catch (error) {
      if ((error as { code?: string }).code !== statementTimedOut || batch === 1) throw error
      batch = Math.ceil(batch / 10)
    }
  }
}

/** PostgreSQL's query_canceled. */
const statementTimedOut = '57014'

/**
 * Seals, and adds what was sealed since the last time to the figures of the home page.
 *
 * @returns how many events were sealed
 */
export async function sealAndCount(db: Db, { waits = false } = {}): Promise<number> {
  const sealed = await sealAuditEvents(db, { waits })
  for (;;) {
    const { rows } = await sql<{ counted: number }>`select count_sealed_events(${batchSize}) as counted`.execute(db)
    if ((rows[0]?.counted ?? 0) < batchSize) return sealed
  }
}

/** For how many seconds the oldest event has waited for its place in the chain; 0 when none waits. */
export async function unsealedSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::float8 as seconds
    from audit_events where not sealed`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** The process's part in sealing. */
export interface Sealer {
  stop(): Promise<void>
}

interface SealerOptions {
  db: Db
  log: Pick<FastifyBaseLogger, 'error'>
  /** Seconds that events may wait before the log says so. */
  alarmAfter?: number
}

/** Seals and counts, within two seconds of an event, until it is stopped. Runs in every process; the database lets one of them work. */
export function startSealer({ db, log, alarmAfter = 5 }: SealerOptions): Sealer {
  const stopping = new AbortController()
  let lastDone = performance.now()
  let alarmed = false
  let pause = shortestPause
  async function round() {
    try {
      pause = (await sealAndCount(db)) > 0 ? shortestPause : Math.min(pause * 2, longestPause)
      if ((await unsealedSeconds(db)) < alarmAfter) {
        lastDone = performance.now()
        alarmed = false
      }
    } catch (error) {
      if (alarmed) return
      log.error({ err: error }, 'audit events could not be sealed; retrying')
      alarmed = true
    }
    // An event of a long transaction is old when it appears, so that one look is no alarm.
    if (alarmed || performance.now() - lastDone < alarmAfter * 1000) return
    log.error({ alarmAfter }, 'audit events have waited too long for their place in the chain')
    alarmed = true
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await round()
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
    // What was written last is not left to another process, which may be about to stop as well.
    await sealAndCount(db, { waits: true }).catch(() => {})
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
