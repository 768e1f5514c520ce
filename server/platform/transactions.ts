import type { Kysely } from 'kysely'
import type { Db } from './database.ts'
import { translateDatabaseError } from './database-problems.ts'
import type { DB } from './database-types.ts'

/** A deadlock or a lost serialisation is nobody's fault: the work runs again, on a fresh transaction. */
const maxRuns = 3

/**
 * Runs the work in a transaction, again where the database asks for it.
 *
 * @throws Problem 409 or 503 for what the database refuses; whatever the work throws
 */
export async function inTransaction<Result>(db: Kysely<DB>, work: (db: Db) => Promise<Result>): Promise<Result> {
  for (let run = 1; ; run++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const code = (error as { code?: string }).code
      if (run < maxRuns && (code === '40P01' || code === '40001')) continue
      translateDatabaseError(error)
    }
  }
}
