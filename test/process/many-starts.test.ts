import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { ownerUrlOf } from '../torture/torture.ts'
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
  clean.push(() => Promise.all(servers.map(stop)))
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
    migrations: servers.flatMap((server) => server.output().match(/Applying \d+ database migrations/g) ?? []),
    reasons: servers.filter((_, index) => !up[index]).map((server) => server.output().trim()),
  }
}

/** Who finds no connection for a minute says so, and shows no stack. */
const endsWithOneLine = (output: string) =>
  /^Vestibule cannot start: (?=.*DATABASE_URL).* for a minute: /.test(output.split('\n').at(-1) ?? '')

async function countKeys(ownerUrl: string) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query(
    `select purpose, state, count(*)::int from keys group by 1, 2 having count(*) > 1`,
  )
  await client.end()
  return rows
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
    const { up, keys, migrations, reasons, seconds } = await startAtOnce(folder.dataDir, env ?? {})
    if (process.env.STARTS) console.log({ kind, up, seconds, reasons: [...new Set(reasons)] })
    expect(reasons.filter((reason) => !endsWithOneLine(reason))).toEqual([])
    if (starts <= 4) expect(up).toBe(starts)
    expect(migrations).toHaveLength(1)
    expect(keys.size).toBe(1)
    expect(await countKeys(database?.ownerUrl ?? (await ownerUrlOf(folder.dataDir)))).toEqual([])
  },
)
