import { hash } from 'node:crypto'
import type { Compilable, PostgresPool, PostgresPoolClient, QueryResult, RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'
import { runAgain } from './run-again.ts'

/** Names by text: as many as the code has statements that it calls prepared. */
const names = new Map<string, string>()
const most = 200

/**
 * Runs a statement that PostgreSQL parses and plans once for each connection. For statements of one fixed text that find
 * their rows by a key: their plan is the same whatever is sought. Not for searches, whose best plan depends on the words.
 *
 * @throws Error (a bug) when the text varies, so that there would be ever more of them
 */
export function prepared<Row>(db: Db, statement: RawBuilder<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
  const compiled = statement.compile(db)
  if (!names.has(compiled.sql)) {
    if (names.size >= most) throw new Error('a statement whose text varies cannot be prepared')
    names.set(compiled.sql, hash('sha256', compiled.sql, 'base64url').slice(0, 22))
  }
  return db.executeQuery(compiled)
}

/**
 * The pool for Kysely, which gives statements no name: here they get it, by their text. One that is a transaction by
 * itself runs again where the database asks for it; of a larger one only the whole can (`inTransaction`).
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const naming = (client: pg.PoolClient): PostgresPoolClient => ({
    // Only the form without a cursor is used.
    query: ((text: string, values: unknown[]) => {
      const name = names.get(text)
      const run = () => (name === undefined ? client.query(text, values) : client.query({ name, text, values }))
      return client.getTransactionStatus() === 'I' ? runAgain(run) : run()
    }) as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
  })
  return {
    async connect() {
      const client = await pool.connect()
      const present = known.get(client) ?? naming(client)
      known.set(client, present)
      return present
    },
    end: () => pool.end(),
  }
}
