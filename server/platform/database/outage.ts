import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { isLost } from './lost-connection.ts'

/** Milliseconds between questions whether the database is back. */
const askEvery = 1000
/** Milliseconds after an outage in which what began during it may still fail: such a failure is no new outage. */
const settles = 30_000

/** A database that is gone, said in one line instead of by everything that fails without it. */
export interface Outage {
  /** For the log: whether a line is one of many that say the same. The first one begins the outage. */
  swallows(entry: unknown): boolean
  /** Whether one lasts. */
  lasts(): boolean
  /** From now on outages are noted, and asked about until they are over. @returns a function that stops it */
  watch(parts: { log: Pick<FastifyBaseLogger, 'error' | 'warn'>; pool: Pick<pg.Pool, 'query'> }): () => void
}

/** Creates the note of one process. */
export function createOutage(): Outage {
  let begin: ((error: Error) => void) | undefined
  let since: number | undefined
  let backAt = Number.NEGATIVE_INFINITY
  let check: ((error: Error) => void) | undefined
  let swallowed = 0
  return {
    lasts: () => since !== undefined,
    swallows(entry) {
      const { err } = (entry ?? {}) as { err?: Error }
      // While it lasts, time-outs of all kinds come from it, too.
      if (!begin || !err || !(isLost(err) || (since !== undefined && isTimeout(err)))) return false
      swallowed++
      if (since !== undefined) return true
      if (Date.now() - backAt < settles) check?.(err)
      else begin(err)
      return true
    },
    watch({ log, pool }) {
      let timer: NodeJS.Timeout | undefined
      const answers = () =>
        pool.query('select 1').then(
          () => true,
          () => false,
        )
      async function ask(): Promise<void> {
        const isBack = await answers()
        if (since === undefined || !begin) return
        if (!isBack) {
          timer = setTimeout(ask, askEvery)
          return
        }
        log.warn({ seconds: Math.round((Date.now() - since) / 1000), lines: swallowed }, 'the database is back')
        since = undefined
        backAt = Date.now()
      }
      check = async (error) => {
        if (!(await answers()) && since === undefined) begin?.(error)
      }
      begin = (error) => {
        since = Date.now()
        swallowed = 0
        log.error(
          { reason: reasonOf(error) },
          'the database cannot be reached; this line stands for all until it is back',
        )
        timer = setTimeout(ask, askEvery)
      }
      return () => {
        begin = undefined
        check = undefined
        clearTimeout(timer)
      }
    },
  }
}

const isTimeout = ({ message, cause }: Error): boolean =>
  /^(timeout exceeded when trying to connect|Query read timeout|timeout expired)/.test(message) ||
  (cause instanceof Error && isTimeout(cause))

/** The innermost cause; without what it quotes. */
function reasonOf({ cause, message, name, ...rest }: Error & { code?: string }): string {
  return cause instanceof Error ? reasonOf(cause) : (rest.code ?? (message || name))
}
