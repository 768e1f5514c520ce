import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readCatalogue, readRows } from '#test/catalogue.ts'
import { createTestDatabase } from '#test/database.ts'
import { migrationsFolder, readMigrations } from './migrate.ts'
import { readSchema, schemaFolder, schemaRooms } from './schema.ts'
import { sessionOptions } from './session-settings.ts'

async function build(steps: string[]) {
  const database = await createTestDatabase({ bare: true })
  const client = new pg.Client({ connectionString: database.ownerUrl, options: sessionOptions() })
  await client.connect()
  try {
    for (const step of steps) await client.query(`begin; ${step}; commit`)
    return { catalogue: await readCatalogue(client), rows: await readRows(client) }
  } finally {
    await client.end()
    await database.drop()
  }
}

test('the schema files and the migrations make the same database', async () => {
  const migrations = readMigrations(migrationsFolder).map(({ sql }) => sql)
  const [declared, migrated] = [await build([readSchema()]), await build(migrations)]
  const onlyIn = (some: string[], others: string[]) => some.filter((line) => !others.includes(line))
  expect({
    onlyInSchemaFiles: onlyIn(declared.catalogue, migrated.catalogue),
    onlyInMigrations: onlyIn(migrated.catalogue, declared.catalogue),
  }).toEqual({ onlyInSchemaFiles: [], onlyInMigrations: [] })
  expect(declared.catalogue.length).toBeGreaterThan(1000)
  expect(declared.rows).toEqual(migrated.rows)
  expect(declared.rows.length).toBeGreaterThan(2)
})

test('no function of the database writes an audit event, except the sealer, and none asks who acts', () => {
  const functions = readSchema()
    .split(/^create (?:or replace )?function /m)
    .slice(1)
  expect(functions.length).toBeGreaterThan(50)
  const nameOf = (text: string) => /^\w+/.exec(text)?.[0]
  const writers = functions.filter((text) => /insert into audit_events/.test(text))
  expect(writers.map(nameOf)).toEqual(['seal_audit_events'])
  const settings = readSchema().match(/(?<=(?:set_config|current_setting)\(')[^']+/g)
  expect([...new Set(settings)].sort()).toEqual(['lock_timeout', 'vestibule.sealing'])
})

test('the order of the schema has every file once', () => {
  expect(readdirSync(schemaFolder).sort()).toEqual(schemaRooms.map((room) => `${room}.sql`).sort())
})
