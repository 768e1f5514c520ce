import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { DB } from '../database/database-types.ts'
import type { MailServer } from './mailer.ts'
import { findWaiting, sendWaiting } from './send-waiting.ts'

/** Milliseconds between questions whether the mail server is back; with the workers' five seconds well below thirty. */
const askEvery = 10_000

/** A mail server that could not be reached, and what waits for it. */
export interface MailReturn {
  /** It cannot be reached: from now on it is asked, until it answers. */
  lost(): void
  stop(): Promise<void>
}

/**
 * Sends what waits as soon as the mail server is back: after a long outage the next try of a message is up to an hour away.
 * What waited when the process starts counts, too.
 */
export function createMailReturn({
  db,
  mailer,
  log,
  every = askEvery,
}: {
  db: Kysely<DB>
  mailer: Pick<MailServer, 'answers'>
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  every?: number
}): MailReturn {
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> | undefined
  let stopped = false
  const lost = () => {
    if (stopped || timer || asking) return
    timer = setTimeout(() => {
      timer = undefined
      asking = ask().then((isBack) => {
        asking = undefined
        if (!isBack) lost()
      })
    }, every)
  }
  async function ask(): Promise<boolean> {
    try {
      if (!(await mailer.answers())) return false
      const messages = (await sendWaiting(db, ['mail'])).length
      if (messages > 0) log.info({ messages }, 'the mail server answers: what waits is sent now')
      return true
    } catch (err) {
      log.warn({ err }, 'waiting mail could not be sent; retrying')
      return false
    }
  }
  findWaiting(db, ['mail']).then(
    (waiting) => waiting.size > 0 && lost(),
    // The database is not there: whatever fails to be sent afterwards says so itself.
    () => lost(),
  )
  return {
    lost,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await asking
    },
  }
}
