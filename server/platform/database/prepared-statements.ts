import { hash } from 'node:crypto'
import {
  type Compilable,
  CompiledQuery,
  type Kysely,
  type OperationNode,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
  type RawBuilder,
  RawNode,
  ValueNode,
} from 'kysely'
import type pg from 'pg'
import type { DB } from './database-types.ts'
import { isUseless } from './lost-connection.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

/** Statement names by SQL text. */
const names = new Map<string, string>()
const maxStatements = 200

/**
 * Runs a prepared statement, which PostgreSQL parses and plans once per connection. For statements with a fixed text that
 * find rows by key. Not for searches, whose best plan depends on the values.
 *
 * @throws Error (a bug) when there are too many different texts
 */
export function executePrepared<Row>(
  db: Kysely<DB>,
  statement: RawBuilder<Row> | Compilable<Row>,
): Promise<QueryResult<Row>> {
  const compiled = compile(db, statement)
  if (!names.has(compiled.sql)) {
    if (names.size >= maxStatements) throw new Error('too many prepared statements: the SQL text must not vary')
    names.set(compiled.sql, hash('sha256', compiled.sql, 'base64url').slice(0, 22))
  }
  return db.executeQuery(compiled)
}

/** A template of SQL and values needs nothing of Kysely's compiler, which takes as long as a short statement. */
function compile<Row>(db: Kysely<DB>, statement: RawBuilder<Row> | Compilable<Row>): CompiledQuery<Row> {
  const values: unknown[] = []
  const text = 'isRawBuilder' in statement ? join(statement.toOperationNode(), values) : undefined
  return text === undefined ? statement.compile(db) : CompiledQuery.raw(text, values)
}

/** The text of a template and those within it; undefined if there is anything else in it. */
function join(node: OperationNode, values: unknown[]): string | undefined {
  if (ValueNode.is(node) && !node.immediate) return `$${values.push(node.value)}`
  if (!RawNode.is(node)) return undefined
  let text = ''
  for (const [index, fragment] of node.sqlFragments.entries()) {
    const parameter = node.parameters[index]
    const between = parameter ? join(parameter, values) : ''
    if (between === undefined) return undefined
    text += fragment + between
  }
  return text
}

/** Disables named prepared statements: behind a pooler in transaction mode the next statement may run in another session. */
export function withoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((first: string | pg.QueryConfig, ...rest: unknown[]) =>
    query(typeof first === 'object' && first.name ? { ...first, name: undefined } : first, ...rest)) as typeof query &
    typeof client.query
}

/**
 * Wraps the pool for Kysely, which cannot name statements: the name is looked up by text. A statement outside a
 * transaction is retried after a deadlock; inside one, `inTransaction` retries the whole transaction.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  /** Why the pool must not use a connection again. */
  const useless = new WeakMap<pg.PoolClient, Error>()
  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    // Kysely calls only the form without a cursor.
    query: ((text: string, values: unknown[]) => {
      const name = names.get(text)
      const run = () =>
        (name === undefined ? client.query(text, values) : client.query({ name, text, values })).catch((error) => {
          if (isUseless(error)) {
            useless.set(client, error)
            void client.end()
          }
          // What follows there, such as a rollback, fails for the same reason.
          throw useless.get(client) ?? error
        })
      return client.getTransactionStatus() === 'I' ? retryOnConflict(run) : run()
    }) as unknown as PostgresPoolClient['query'],
    release: () => client.release(useless.get(client)),
  })
  return {
    async connect() {
      const client = await pool.connect()
      const present = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, present)
      return present
    },
    end: () => pool.end(),
  }
}
