import { createHash } from 'node:crypto'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { rightsVersion } from '#server/platform/database-rights.ts'
import { holdCluster, stopCluster } from '#server/platform/embedded-postgres.ts'
import { installedEngine, type Place, postgresAccount, systemEngine } from '#server/platform/embedded-postgres-place.ts'
import { queuesVersion } from '#server/platform/install-queues.ts'
import { migrate, migrationsFolder, readMigrations } from '#server/platform/migrate.ts'

/** How tests reach the server of the test databases. */
export interface TestServer {
  /** A database of the role that owns every test database, and may make new ones. */
  ownerUrl: string
  /** The same with the role that serves. */
  appUrl: string
  /** The migrated database that every test database is a copy of. */
  template: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

const silent = () => {}

/** One PostgreSQL for a run of the tests: an embedded one of its own, or the one in TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const { ownerUrl, appUrl, stop } = url ? await prepareServer(url) : await startEmbedded()
  const template = await makeTemplate(ownerUrl)
  project.provide('testServer', { ownerUrl, appUrl, template })
  return stop
}

const prefix = 'vestibule-test-'

async function startEmbedded() {
  await sweep()
  const base = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const place = await placeAt(base)
  const cluster = await holdCluster(place, {
    say: silent,
    // Only here: nobody misses this data after a power cut.
    overrides: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  const stop = async () => {
    await cluster.stop()
    rmSync(base, { recursive: true, force: true })
  }
  return { ...cluster, stop }
}

async function placeAt(base: string): Promise<Place> {
  if (process.getuid?.() !== 0) return { base, engine: installedEngine().folder }
  const account = postgresAccount(silent)
  chownSync(base, account.uid, account.gid)
  return { base, account, engine: await systemEngine(silent) }
}

/** Clears away what a killed run left behind. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${prefix}([0-9]+)-`).exec(name) ?? []
    if (!pid || isAlive(Number(pid))) continue
    const base = join(tmpdir(), name)
    try {
      await stopCluster(await placeAt(base))
      rmSync(base, { recursive: true, force: true })
    } catch {
      // Another account's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const password = 'vestibule-test'

/** Two roles as in production, on a server whose user may make roles and databases. */
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

// Named by what it is made of: an external server keeps it from run to run.
async function makeTemplate(ownerUrl: string): Promise<string> {
  const migrations = readMigrations(migrationsFolder)
  const content = JSON.stringify([migrations.map(({ sha256 }) => sha256), queuesVersion(), rightsVersion])
  const name = `vestibule_template_${createHash('sha256').update(content).digest('hex').slice(0, 12)}`
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1986622070)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`
      await client.query(`drop database if exists ${unfinished}`)
      await client.query(`create database ${unfinished} template template0 encoding 'UTF8'`)
      const url = databaseUrl(ownerUrl, unfinished)
      const role = ownerUrl.includes('vestibule_test_owner') ? 'vestibule_test_app' : 'vestibule_app'
      await migrate({ ownerUrl: url, appRole: role, say: silent })
      await client.query(`alter database ${unfinished} rename to ${name}`)
    }
  } finally {
    await client.end()
  }
  return name
}

/** The same server and role, another database. */
export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
