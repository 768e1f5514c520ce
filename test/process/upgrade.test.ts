import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { createBrowser } from '../../bench/browser.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'
import { signInAndOut, unlimited, watchNodes } from './watched-nodes.ts'

/** Another version to begin with: `UPGRADE_FROM=v0.3.0 npm run test:upgrade`. Without one, this version gets a migration. */
const from = process.env.UPGRADE_FROM
/** The shortest time that two versions serve side by side; more for a figure to publish. */
const besideMs = Number(process.env.UPGRADE_SECONDS ?? 3) * 1000
const timeout = 180_000 + 4 * besideMs

const root = join(import.meta.dirname, '..', '..')
const baseUrl = 'http://portal.localhost:8080'
const people = ['admin@nordvik.example', 'user@nordvik.example', 'both@nordvik.example', 'admin@alvdal.example']

/** What the migrations of later versions do: columns, an index, a table and a function, on the tables that sign-ins use most. */
const step = `
  alter table users add column greeting text not null default '';
  alter table sessions add column seen_in text;
  create index sessions_by_place on sessions (seen_in) where seen_in is not null;
  create table greetings (account_id uuid primary key references users on delete cascade, said_at timestamptz not null default now());
  create function greeted(account uuid) returns boolean language sql stable as $$
    select exists (select from greetings where account_id = account)
  $$;`

let database: TestDatabase
let dataFolder: ReturnType<typeof temporaryDataDir>
let copy: string
let nodes: ServerProcess[] = []
const all: ServerProcess[] = []

/** The project of another version, with the packages of this one. */
function otherVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-upgrade-'))
  if (from) {
    execFileSync('git', ['clone', '--quiet', '--no-checkout', root, folder])
    execFileSync('git', ['-C', folder, 'checkout', '--quiet', '--detach', from])
  } else {
    for (const name of ['package.json', 'contract', 'locales', 'server', 'simulators', 'web'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    const migrations = join(folder, 'server', 'migrations')
    const number = String(readdirSync(migrations).filter((name) => name.endsWith('.sql')).length + 1).padStart(4, '0')
    writeFileSync(join(migrations, `${number}-next-version.sql`), step)
  }
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name))
  return folder
}

async function startNode(folder: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const node = await startServerProcess({
    dataDir: dataFolder.dataDir,
    folder,
    env: {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      BASE_URL: baseUrl,
      DRAIN_SECONDS: '2',
      LOG_LEVEL: 'error',
      PORT: String(await freePort()),
      ...unlimited,
      ...env,
    },
  })
  all.push(node)
  await node.ready
  return node
}

const [before, after] = from ? [() => copy, () => root] : [() => root, () => copy]

beforeAll(async () => {
  dataFolder = temporaryDataDir()
  database = await createTestDatabase()
  copy = otherVersion()
  nodes = [await startNode(before(), { DEMO: 'on' }), await startNode(before())]
}, timeout)
afterAll(async () => {
  for (const node of nodes) node.signal('SIGINT')
  await Promise.all(nodes.map(({ ended }) => ended))
  await database?.drop()
  dataFolder?.remove()
  if (copy) rmSync(copy, { recursive: true })
})

test('an upgrade of one node after the other is noticed by nobody, and nothing that was answered is lost', {
  timeout,
}, async () => {
  const watch = watchNodes(nodes)
  await expect.poll(watch.count).toBe(2)
  const began = new Date()
  let done = 0
  let over = false
  const lost: string[] = []
  const walking = people.map(async (email) => {
    for (; !over; await wait(100))
      await signInAndOut(createBrowser(baseUrl, watch.next), email).then(
        () => done++,
        (error) => lost.push(`${new Date().toISOString()}: ${error}`),
      )
  })
  const besideEachOther: number[] = []
  try {
    for (const [index, node] of nodes.entries()) {
      node.signal('SIGTERM')
      expect(await node.ended).toBe(0)
      nodes[index] = await startNode(after(), { PORT: new URL(node.url).port })
      await expect.poll(watch.count).toBe(2)
      const since = done
      await wait(besideMs)
      await expect.poll(() => done - since, { timeout: 30_000 }).toBeGreaterThanOrEqual(8)
      besideEachOther.push(done - since)
    }
  } finally {
    over = true
    await Promise.all(walking)
    watch.stop()
  }
  console.log(
    `${done} sign-ins and sign-outs, ${besideEachOther[0]} with two versions side by side; lost: ${lost.length}`,
  )
  expect(lost).toEqual([])
  expect(nodes.map((node) => node.output()).join()).not.toMatch(/"level":"(error|fatal)"/)
  const owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  const { rows } = await owner.query(
    `select count(*)::int as signed_in from audit_events where name = 'loginSuccess' and created_at >= $1`,
    [began],
  )
  await owner.end()
  expect(rows[0].signed_in).toBe(done)
  const env = {
    ...process.env,
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    BASE_URL: baseUrl,
    DATA_DIR: dataFolder.dataDir,
  }
  const verified = execFileSync(process.execPath, ['server/admin.ts', 'audit', 'verify'], {
    cwd: after(),
    env,
    encoding: 'utf8',
  })
  expect(verified).toMatch(/intact/)
})
