import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { LimitName } from './limit-rules.ts'
import type { LimitKey, Limits } from './limits.ts'

/**
 * Counts an attempt, then makes it. One that broke before it was decided counts for nothing: a portal that is too busy,
 * or whose database is away for a moment, uses nobody's tries up.
 *
 * @param wanted what the work needs to have read: an expression of the type jsonb, asked for with the count
 * @returns what the work gave, and the limits that this attempt used up
 * @throws Problem 429 when a limit is used up, and whatever the work throws
 */
export async function countedFirst<Result, Read = unknown>(
  { db, limits, now }: { db: Db; limits: Limits; now: Date },
  keys: readonly LimitKey[],
  work: (read: Read) => Promise<Result>,
  wanted: RawBuilder<Read> = sql`null::jsonb`,
): Promise<{ result: Result; usedUp: LimitName[] }> {
  const { usedUp, read } = await limits.takeAndRead(db, keys, now, wanted)
  try {
    return { result: await work(read), usedUp }
  } catch (error) {
    // Where this fails too, for the same reason, the first one is what to tell.
    await limits.refund(db, keys, now).catch(() => undefined)
    throw error
  }
}
