import {
  CamelCasePlugin,
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import { expect, test } from 'vitest'
import type { DB } from './database-types.ts'
import { executePrepared } from './prepared-statements.ts'

let sent: { sql: string; parameters: readonly unknown[] } | undefined
const db = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
  log: ({ query }) => {
    sent = { sql: query.sql, parameters: query.parameters }
  },
})

const inner = (id: string) => sql`(select ${id}::uuid where ${null}::text is null)`
const statements: [string, RawBuilder<unknown> | Compilable<unknown>][] = [
  ['values', sql`select ${1}, ${'two'}, ${new Date(3)}, ${['four', 'five']}::text[], ${Buffer.from('six')}::bytea`],
  ['nothing', sql`select 1`],
  ['templates within a template', sql`select ${inner('a')} union ${inner('b')}, ${sql`${inner('c')}`}`],
  ['the same template twice', sql.join([inner('a'), inner('b')], sql` union `)],
  ['a name, which Kysely writes in snake case', sql`select ${sql.ref('users.firstName')} where ${true}`],
  ['a literal', sql`select ${sql.lit('text')}, ${7}`],
  [
    'a query in a template',
    sql`select exists ${db.selectFrom('users').select('email').where('email', '=', 'a')}, ${1}`,
  ],
  ['a query', db.selectFrom('users').select('firstName').where('email', '=', 'a')],
]

test.each(statements)('%s: the text and the values are those of Kysely', async (_, statement) => {
  const { sql: text, parameters } = statement.compile(db)
  await executePrepared(db, statement)
  expect(sent).toEqual({ sql: text, parameters })
})
