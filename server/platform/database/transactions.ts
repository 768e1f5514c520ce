import type { Kysely } from 'kysely'
import type { Db } from './database.ts'
import { translateDatabaseError } from './database-problems.ts'
import type { DB } from './database-types.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

/**
 * Runs the work in a transaction, and retries it after a conflict with another transaction.
 *
 * @throws Problem 409 or 503 for database errors, and any error of the work
 */
export const inTransaction = <Result>(db: Kysely<DB>, work: (db: Db) => Promise<Result>): Promise<Result> =>
  retryOnConflict(() => db.transaction().execute(work)).catch(translateDatabaseError)

/** Runs the work in the caller's transaction, or in one of its own where there is none. */
export const withTransaction = <Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
