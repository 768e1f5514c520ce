import { createHash } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/platform/database/database.ts'
import { privilegesVersion } from '#server/platform/database/database-privileges.ts'
import { readQueuesVersion } from '#server/platform/database/install-queues.ts'
import { migrate, migrationsFolder, readMigrations } from '#server/platform/database/migrate.ts'
import { openKeys } from '#server/platform/secrets/keys.ts'
import { testMasterKey, testStart } from './initial-state.ts'
import { proofWatch, watch } from './proof-writes.ts'
import { settledWatch } from './settled.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

/** The connection addresses of the test databases' server. */
export interface TestServer {
  /** A database of the role that owns every test database, and may make new ones. */
  ownerUrl: string
  /** The same with the role that serves. */
  appUrl: string
  /** The migrated database that test databases are copied from. */
  template: string
  /** The same with data keys: making the two RSA keys takes longer than the rest of a start. */
  templateWithKeys: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

const silent = () => {}

/** Starts one PostgreSQL for a test run: an embedded one, or the one in TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const { ownerUrl, appUrl, stop } = url ? await prepareServer(url) : await startTemporaryPostgres()
  project.provide('testServer', { ownerUrl, appUrl, ...(await makeTemplates(ownerUrl)) })
  return stop
}

const password = 'vestibule-test'

/** Creates two roles as in production, on a server whose user may create roles and databases. */
async function prepareServer(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [role, options] of [
      ['vestibule_test_owner', 'createdb'],
      ['vestibule_test_app', 'nocreatedb'],
    ]) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
      if (rowCount === 0) await client.query(`create role ${role} login ${options} password '${password}'`)
    }
  } finally {
    await client.end()
  }
  const as = (role: string) => {
    const address = new URL(url)
    address.username = role
    address.password = password
    return address.href
  }
  return { ownerUrl: as('vestibule_test_owner'), appUrl: as('vestibule_test_app'), stop: async () => {} }
}

// Named by a hash of their content, because an external server keeps them between runs.
async function makeTemplates(ownerUrl: string) {
  const migrations = readMigrations(migrationsFolder)
  const content = JSON.stringify([
    ...[migrations.map(({ sha256 }) => sha256), readQueuesVersion(), privilegesVersion],
    proofWatch,
    settledWatch,
  ])
  const template = `vestibule_template_${createHash('sha256').update(content).digest('hex').slice(0, 12)}`
  const templateWithKeys = `${template}_keys`
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const make = async (name: string, source: string, fill: (url: string) => Promise<unknown>) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished}`)
    await client.query(`create database ${unfinished} template ${source} encoding 'UTF8'`)
    await fill(databaseUrl(ownerUrl, unfinished))
    await client.query(`alter database ${unfinished} rename to ${name}`)
  }
  try {
    await client.query('select pg_advisory_lock(1986622070)')
    const appRole = ownerUrl.includes('vestibule_test_owner') ? 'vestibule_test_app' : 'vestibule_app'
    await make(template, 'template0', (url) => migrate({ ownerUrl: url, appRole, say: silent }))
    await make(templateWithKeys, template, makeKeys)
  } finally {
    await client.end()
  }
  return { template, templateWithKeys }
}

async function makeKeys(url: string): Promise<void> {
  const database = openDatabase({ url })
  const keys = await openKeys({ db: database.db, masterKey: testMasterKey, clock: () => testStart })
  keys.close()
  await database.close()
  await watch(url)
}

/** The same server and role, another database. */
export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
