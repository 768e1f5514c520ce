import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const timeout = 120_000
const root = join(import.meta.dirname, '../..')
const events = 30_000
let database: TestDatabase
let owner: pg.Client
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vestibule-audit-cold-'))
  database = await createTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  await owner.query(`create table audit_events_2024_01 partition of audit_events_sealed
    for values from ('2024-01-01Z') to ('2024-02-01Z')`)
  await owner.query(
    `insert into audit_events (id, name, target, created_at)
     select gen_random_uuid(), 'updateUser', 'target ' || n, timestamptz '2024-01-01Z' + n * interval '1 minute'
     from generate_series(1, $1) n`,
    [events],
  )
  while ((await owner.query('select seal_audit_events(5000) as sealed')).rows[0].sealed > 0);
}, timeout)
afterAll(async () => {
  await owner?.end()
  await database?.drop()
  rmSync(folder, { recursive: true })
}, timeout)

const admin = (...words: string[]) =>
  spawn(process.execPath, ['server/admin.ts', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      MASTER_KEY: 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE=',
      LOG_LEVEL: 'error',
      AUDIT_MONTHS: '120',
      AUDIT_COLD_AFTER_MONTHS: '12',
      AUDIT_COLD_DIR: folder,
    },
  })
const output = async (...words: string[]) => {
  const running = admin(...words)
  let text = ''
  running.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(running, 'close')
  return text
}
const inDatabase = async () =>
  (
    await owner.query(`select (select count(*)::int from audit_events where created_at < '2024-02-01Z') as events,
    (select count(*)::int from audit_cold_months) as months`)
  ).rows[0]

test(
  'a move that is killed at any moment loses nothing, and the next one goes on',
  async () => {
    for (const after of [0, 100, 300, 600, 1000]) {
      const before = new Set(readdirSync(folder))
      const running = admin('audit', 'move-months')
      const ended = once(running, 'exit')
      while (running.exitCode === null && readdirSync(folder).every((name) => before.has(name))) await wait(5)
      await wait(after)
      running.kill('SIGKILL')
      await ended
      // A statement of the process that was killed may still run.
      await wait(500)
      const { events: left, months } = await inDatabase()
      expect(left).toBe(months === 0 ? events : 0)
      if (months > 0) break
    }
    await output('audit', 'move-months')
    expect(await inDatabase()).toEqual({ events: 0, months: 1 })
    expect(readdirSync(folder).filter((name) => name.endsWith('.gz')).length).toBeGreaterThan(0)
    const said = await output('audit', 'verify')
    expect(said).toContain('Read from cold storage: 2024-01')
    expect(said).toContain('The audit log is intact')
  },
  timeout,
)
