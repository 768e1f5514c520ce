import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import { DatabaseStartError } from './embedded-postgres/location.ts'
import { connectionTo } from './platform/database/connect.ts'

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'EHOSTUNREACH'])
// No connection left, starting up or shutting down, a time-out, a lock that others hold, a deadlock.
const busyState = /^(53300|57P0[1-3]|57014|55P03|40P01|40001)$/
// What the driver says, which has no code.
const busyMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/

interface Options {
  config: Pick<Config, 'databaseUrl'>
  /** Prints a line for the operator. */
  say: (line: string) => void
  /** Milliseconds until it gives up. */
  patience?: number
  /** Ends the waiting. */
  stopping?: AbortSignal | undefined
}

/**
 * Repeats a step of the start for as long as the database does not answer or is too busy for it: other processes that
 * start at the same time come first.
 *
 * @throws DatabaseStartError after a minute or when it is stopped, with one line for the operator
 */
export async function waitForDatabase<Result>(
  step: () => Promise<Result>,
  { config, say, patience = 60_000, stopping }: Options,
): Promise<Result> {
  for (let tries = 1, deadline = Date.now() + patience; ; tries++) {
    try {
      // The first try is never left half done.
      return await (tries === 1 ? step() : Promise.race([step(), stopped(stopping)]))
    } catch (error) {
      const reason = passingReason(error)
      if (reason === undefined) throw error
      if (Date.now() > deadline) throw new DatabaseStartError(explain(reason, config))
      if (tries === 1) say(`Warning: waiting for the database (${reason}) ...`)
      // Not all at the same moment.
      await Promise.race([wait(500 + Math.random() * 500), stopped(stopping)])
    }
  }
}

/** Rejects when the process is told to end. */
const stopped = (stopping: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(new DatabaseStartError('it was stopped while the database was away'))
    if (stopping?.aborted) end()
    else stopping?.addEventListener('abort', end, { once: true })
  })

/** Whether nothing answers as a database there: known at once, where a silent server is known only after a time-out. */
export async function isGone(url: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionTo(url), connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return false
  } catch (error) {
    // It answers: with too many connections, or no such role.
    if (error instanceof pg.DatabaseError) return /^57P0[1-3]$/.test(error.code ?? '')
    return !/timeout/.test((error as Error).message)
  } finally {
    void client.end().catch(() => {})
  }
}

/** Why the database could not do it now; undefined for an error that waiting does not mend. */
function passingReason(error: unknown): string | undefined {
  const { code = '', syscall, message, cause } = error as Error & { code?: string; syscall?: string }
  // A socket that is not there yet; another missing file stays missing.
  const isAway = unreachable.has(code) || (code === 'ENOENT' && syscall === 'connect')
  const passes = isAway || busyState.test(code) || busyMessage.test(message)
  if (passes) return message || code
  return cause === undefined ? undefined : passingReason(cause)
}

const explain = (reason: string, { databaseUrl }: Options['config']) =>
  databaseUrl
    ? `the database in DATABASE_URL was not there or too busy for a minute: ${reason}`
    : `the embedded database was too busy for a minute: ${reason}. It has connections for a few processes; for more, set DATABASE_URL.`
