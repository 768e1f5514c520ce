import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { migrationsFolder, readMigrations } from '#server/platform/database/migrate.ts'
import { createTestDatabase } from '#test/database.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

// A figure to publish: STARTS=50
const starts = Number(process.env.STARTS ?? 4)
const timeout = starts * 20_000
const clean: (() => unknown)[] = []
afterAll(async () => {
  for (const each of clean.reverse()) await each()
}, timeout)

/** @returns what the processes that came up have, and the last lines of those that did not */
async function startAtOnce(dataDir: string, env: Record<string, string>) {
  const since = Date.now()
  const servers = await Promise.all(Array.from({ length: starts }, () => startServerProcess({ dataDir, env })))
  const stop = (server: ServerProcess) => {
    server.signal('SIGTERM')
    return server.ended
  }
  const stopAll = () => Promise.all(servers.map(stop))
  clean.push(stopAll)
  const up = await Promise.all(
    servers.map((server) =>
      server.ready.then(
        () => true,
        () => false,
      ),
    ),
  )
  const keys = await Promise.all(
    servers.filter((_, index) => up[index]).map(async ({ url }) => (await fetch(`${url}/oidc/jwks`)).text()),
  )
  return {
    seconds: (Date.now() - since) / 1000,
    keys: new Set(keys),
    up: keys.length,
    migrations: servers.flatMap((server) => server.output().match(/Applying \d+ database migrations?/g) ?? []),
    reasons: servers.filter((_, index) => !up[index]).map((server) => server.output().trim()),
    stopAll,
  }
}

/** Who finds no connection for a minute says so, and shows no stack. */
const endsWithOneLine = (output: string) =>
  /^Vestibule cannot start: (?=.*DATABASE_URL).* for a minute: /.test(output.split('\n').at(-1) ?? '')

/** How many migrations were applied, and the keys of which there is more than one. */
async function countMade(ownerUrl: string) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const migrations = await client.query(`select count(*)::int from migrations`)
  const keys = await client.query(`select purpose, state, count(*)::int from keys group by 1, 2 having count(*) > 1`)
  await client.end()
  return { migrations: migrations.rows[0].count, severalKeys: keys.rows }
}

async function countMadeIn(dataDir: string) {
  const attached = await startEmbeddedPostgres({ dataDir, say: () => {} })
  const made = await countMade(attached.ownerUrl)
  await attached.stop()
  return made
}

test.each(['embedded', 'external'] as const)(
  'processes that start at once on an empty database (%s) make tables and keys once, and come up while there are connections',
  { timeout },
  async (kind) => {
    const folder = temporaryDataDir()
    clean.push(folder.remove)
    const database = kind === 'external' ? await createTestDatabase({ bare: true }) : undefined
    if (database) clean.push(database.drop)
    const env = database && { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl }
    const { up, keys, migrations, reasons, seconds, stopAll } = await startAtOnce(folder.dataDir, env ?? {})
    if (process.env.STARTS) console.log({ kind, up, seconds, reasons: [...new Set(reasons)] })
    expect(reasons.filter((reason) => !endsWithOneLine(reason))).toEqual([])
    if (starts <= 4) expect(up).toBe(starts)
    expect(migrations).toHaveLength(1)
    expect(keys.size).toBe(1)
    // They leave no connection to look with.
    await stopAll()
    expect(await (database ? countMade(database.ownerUrl) : countMadeIn(folder.dataDir))).toEqual({
      migrations: readMigrations(migrationsFolder).length,
      severalKeys: [],
    })
  },
)
