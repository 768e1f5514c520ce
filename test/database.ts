import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { databaseUrl } from './database-setup.ts'

/** A migrated, empty database for one test. */
export interface TestDatabase {
  /** As the role that owns the tables. */
  ownerUrl: string
  /** As the role that serves: it cannot change the audit log or any table. */
  appUrl: string
  drop(): Promise<void>
}

/**
 * Copies a template, in a few hundredths of a second. The caller drops it.
 *
 * @param bare without a table, for a test of migrations
 * @param withKeys with the data keys that a portal otherwise makes at its first start
 * @param defaults settings with which every session of this database begins
 */
export async function createTestDatabase({
  bare = false,
  withKeys = false,
  defaults = {} as Record<string, string>,
} = {}): Promise<TestDatabase> {
  const { ownerUrl, appUrl, template, templateWithKeys } = inject('testServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  const source = bare ? 'template0' : withKeys ? templateWithKeys : template
  // Files are copied in half the time that PostgreSQL takes to log them.
  await asOwner(ownerUrl, `create database ${name} template ${source} encoding 'UTF8' strategy file_copy`)
  for (const [setting, value] of Object.entries(defaults))
    await asOwner(ownerUrl, `alter database ${name} set ${setting} to '${value}'`)
  return {
    ownerUrl: databaseUrl(ownerUrl, name),
    appUrl: databaseUrl(appUrl, name),
    // Waits for closing connections; the owner may not terminate those of the serving role.
    drop: () => asOwner(ownerUrl, `drop database if exists ${name}`),
  }
}

async function asOwner(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
