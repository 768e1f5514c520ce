import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { connectionTo } from './connect.ts'
import type { DB } from './database-types.ts'
import { closeSilent, MarkedClient } from './lost-connection.ts'
import { withoutNames, withPreparedStatements } from './prepared-statements.ts'
import { sessionOptions } from './session-settings.ts'

/** Where a query runs: the pool, or the transaction of the request. */
export type Db = Kysely<DB> | Transaction<DB>

/** The open database of a process. */
export interface Database {
  db: Kysely<DB>
  /** For the few named prepared statements that run on every request. */
  pool: pg.Pool
  close(): Promise<void>
}

interface DatabaseOptions {
  url: string
  /** A role to switch to after connecting, where the URL belongs to the owner of the tables. */
  role?: string | undefined
  /** A pooler in transaction mode to use instead; it sets the role and the session settings itself. */
  poolerUrl?: string | undefined
  /** Maximum number of connections. */
  size?: number
  /** Statement time-out in seconds. */
  statementTimeout?: number
  /** A replica: whatever tries to write there fails. */
  readOnly?: boolean
}

/** Statement time-out of requests, in seconds. */
const requestTimeout = 5
/** Statement time-out of jobs, deliveries and commands, in seconds. */
export const backgroundTimeout = 60

// Our bigint columns are counters that never exceed 2^53, so they are parsed as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, (digits) => Number(digits))

/**
 * Opens the pool. Nothing connects until the first query.
 *
 * Statements and idle transactions have a time-out, so that one slow query does not block the others.
 */
export function openDatabase({
  url,
  role,
  poolerUrl,
  size = 10,
  statementTimeout = requestTimeout,
  readOnly = false,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connectionTo(poolerUrl ?? url),
    Client: MarkedClient,
    max: size,
    // A pooler keeps its sessions, and sets them up itself.
    options: poolerUrl ? undefined : sessionOptions({ statementTimeout, idleTransactionTimeout: 30, role, readOnly }),
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // PostgreSQL ends a long statement itself; this is for one that does not answer at all.
    query_timeout: (statementTimeout + 2) * 1000,
  })
  // The pool replaces a connection that breaks; without listeners the error would end the process, also while it is in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  closeSilent(pool)
  if (poolerUrl) pool.on('connect', withoutNames)
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  // Ends the pool itself: Kysely leaves it open if no query went through Kysely.
  return { db, pool, close: () => pool.end() }
}
