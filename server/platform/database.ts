import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './database-types.ts'
import { withPreparedStatements } from './prepared-statements.ts'

/** What a query runs on: the pool, or the transaction of the request. */
export type Db = Kysely<DB> | Transaction<DB>

/** The open database of a process. */
export interface Database {
  db: Kysely<DB>
  /** For the few statements that are prepared by name because they run on every request. */
  pool: pg.Pool
  close(): Promise<void>
}

interface DatabaseOptions {
  url: string
  /** A role to take on after connecting, where the address belongs to the owner of the tables. */
  role?: string | undefined
  /** Connections of this process. */
  size?: number
}

// A counter never outgrows 2^53: bigint columns are numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, (digits) => Number(digits))

/**
 * Opens the pool. Nothing connects until the first query.
 *
 * Every statement is cut off after 15 s, every idle transaction after 30 s: one slow query must not hold the others.
 */
export function openDatabase({ url, role, size = 10 }: DatabaseOptions): Database {
  const settings = [
    '-c statement_timeout=15000',
    '-c idle_in_transaction_session_timeout=30000',
    '-c timezone=UTC',
    // The default is a spinning disk's: with it a small table is read whole on every request instead of by its key.
    '-c random_page_cost=1.1',
  ]
  if (role) settings.push(`-c role=${role}`)
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    options: settings.join(' '),
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  // The pool itself: Kysely would leave it open as long as no query went through Kysely.
  return { db, pool, close: () => pool.end() }
}
