import type { Db } from '../database/database.ts'
import type { LimitKey, Limits, Taken } from './limits.ts'

/**
 * Counts an attempt against its limits, then runs it. An attempt that throws is refunded, so that a busy portal or a
 * database outage does not use up a user's attempts.
 *
 * @returns the result of the work, and what this attempt was counted as
 * @throws Problem 429 when a limit is exhausted, and any error of the work
 */
export async function withAttemptLimit<Result>(
  { db, limits, now }: { db: Db; limits: Limits; now: Date },
  keys: readonly LimitKey[],
  work: () => Promise<Result>,
): Promise<Taken & { result: Result }> {
  const taken = await limits.take(db, keys, now)
  try {
    return { ...taken, result: await work() }
  } catch (error) {
    // If the refund fails too, report the first error.
    await limits.refund(db, keys, now).catch(() => undefined)
    throw error
  }
}
