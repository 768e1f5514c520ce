import type { RawBuilder } from 'kysely'
import type { Db } from '../database/database.ts'
import type { LimitKey, Limits, Taken } from './limits.ts'

interface Counting {
  db: Db
  limits: Limits
  now: Date
}

/**
 * Counts an attempt against its limits, then runs it. An attempt that throws is refunded, so that a busy portal or a
 * database outage does not use up a user's attempts.
 *
 * @returns the result of the work, and what this attempt was counted as
 * @throws Problem 429 when a limit is exhausted, and any error of the work
 */
export async function withAttemptLimit<Result>(
  context: Counting,
  keys: readonly LimitKey[],
  work: () => Promise<Result>,
): Promise<Taken & { result: Result }> {
  return run(context, keys, await context.limits.take(context.db, keys, context.now), work)
}

/** The same, of an attempt that begins with a look-up (`takeWith`). */
export async function withAttemptLimitReading<Found, Result>(
  context: Counting,
  { keys, read }: { keys: readonly [LimitKey, ...LimitKey[]]; read: RawBuilder<Found> },
  work: (found: Found | undefined) => Promise<Result>,
): Promise<Taken & { result: Result }> {
  const taken = await context.limits.takeWith(context.db, keys, context.now, read)
  return run(context, keys, taken, () => work(taken.found))
}

async function run<Result>(
  { db, limits, now }: Counting,
  keys: readonly LimitKey[],
  taken: Taken,
  work: () => Promise<Result>,
): Promise<Taken & { result: Result }> {
  try {
    return { ...taken, result: await work() }
  } catch (error) {
    // If the refund fails too, report the first error.
    await limits.refund(db, keys, now).catch(() => undefined)
    throw error
  }
}
