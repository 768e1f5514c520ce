import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { System } from '#server/platform/system.ts'
import { type EndedSession, queueLogouts } from './queue-logouts.ts'

const atATime = 200
const pauseMs = 5000
/** Milliseconds for a request that has just read its session and lengthens it. */
const grace = 2000

/**
 * Ends sessions whose time is over as a sign-out does: their tokens go, and their services are told.
 *
 * @returns how many
 */
export function endExpiredSessions(db: Db, now: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<EndedSession>`
      delete from sessions where id_hash in (
        select id_hash from sessions where expires_at <= ${new Date(now.getTime() - grace)}
        order by expires_at limit ${atATime} for update skip locked)
      returning account_id as "accountId", payload -> 'authorizations' as authorizations`.execute(trx)
    await queueLogouts(trx, rows)
    return rows.length
  })
}

type Options = Pick<System, 'clock' | 'log'> & { db: Db }

/** Looks every five seconds, in every process; each session is ended by one of them. */
export function startSessionEnds({ db, clock, log }: Options): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        while (!stopping.signal.aborted && (await endExpiredSessions(db, clock())) === atATime);
      } catch (error) {
        log.error({ err: error }, 'sessions that are over could not be ended; retrying')
      }
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
