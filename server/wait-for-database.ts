import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import { DatabaseStartError } from './embedded-postgres/location.ts'

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
}

/**
 * Repeats a step of the start for as long as the database does not answer or is too busy for it: other processes that
 * start at the same time come first.
 *
 * @throws DatabaseStartError after a minute, with one line for the operator
 */
export async function waitForDatabase<Result>(
  step: () => Promise<Result>,
  { config, say, patience = 60_000 }: Options,
): Promise<Result> {
  for (let tries = 1, deadline = Date.now() + patience; ; tries++) {
    try {
      return await step()
    } catch (error) {
      const reason = passingReason(error)
      if (reason === undefined) throw error
      if (Date.now() > deadline) throw new DatabaseStartError(explain(reason, config))
      if (tries === 1) say(`Waiting for the database (${reason}) ...`)
      // Not all at the same moment.
      await wait(500 + Math.random() * 500)
    }
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
