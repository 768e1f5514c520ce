import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { loadCommonGrams } from './common-grams.ts'

let database: ConnectedDatabase

beforeAll(async () => {
  database = await connectTestDatabase()
  await sql`insert into users (account_id, email, first_name, last_name, login_method)
    select gen_random_uuid(), 'person' || n || '@search.example', 'Åsa', 'Nr' || n, 'local'
    from generate_series(1, 300) as n`.execute(database.db)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('analyze directory')
  await owner.end()
})
afterAll(() => database?.close())

test('text that occurs in every address is common, text that occurs in one is not', async () => {
  const common = await loadCommonGrams(database.db)
  expect(common.get('mple')).toBeCloseTo(1)
  expect(common.has('n12@')).toBe(false)
})
