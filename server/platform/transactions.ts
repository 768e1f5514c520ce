import type { Kysely } from 'kysely'
import type { Db } from './database.ts'
import { translateDatabaseError } from './database-problems.ts'
import type { DB } from './database-types.ts'
import { runAgain } from './run-again.ts'

/**
 * Runs the work in a transaction, again where the database asks for it.
 *
 * @throws Problem 409 or 503 for what the database refuses; whatever the work throws
 */
export const inTransaction = <Result>(db: Kysely<DB>, work: (db: Db) => Promise<Result>): Promise<Result> =>
  runAgain(() => db.transaction().execute(work)).catch(translateDatabaseError)
