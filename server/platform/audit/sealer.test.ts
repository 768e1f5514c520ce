import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { openDatabase } from '../database/database.ts'
import { writeAuditEvent } from './audit.ts'
import { sealAndCount, sealAuditEvents, startSealer, unsealedSeconds } from './sealer.ts'

let database: ConnectedDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await connectTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.close()
})

const write = () => writeAuditEvent(database.db, { name: 'logout' }, { requestId: 'r', now: new Date() })
const sealed = async () => (await owner.query('select count(*)::int as count from audit_chain')).rows[0].count

test('a running process seals within a second, and the rest before it stops', async () => {
  const sealer = startSealer({ db: database.db, log: { error: () => expect.unreachable() } })
  await write()
  await expect.poll(sealed, { timeout: 1000 }).toBe(1)
  await write()
  await sealer.stop()
  expect(await sealed()).toBe(2)
  expect(await unsealedSeconds(database.db)).toBe(0)
})

test('a sealer on a machine so busy that a batch meets the time limit takes smaller ones, and does not starve', async () => {
  const before = await sealed()
  const events = 300
  await owner.query(`insert into audit_events (id, name, created_at)
    select gen_random_uuid(), 'logout', now() from generate_series(1, ${events})`)
  // Each event takes 10 ms: all of them three seconds, of which a statement has one.
  await owner.query(`create function busy_machine() returns trigger language plpgsql as
    'begin perform pg_sleep(0.01); return new; end'`)
  await owner.query('create trigger busy before insert on audit_chain for each row execute function busy_machine()')
  const { db, close } = openDatabase({ url: database.appUrl, statementTimeout: 1 })
  try {
    expect(await sealAuditEvents(db)).toBe(events)
    expect(await sealed()).toBe(before + events)
  } finally {
    await close()
    await owner.query('drop trigger busy on audit_chain; drop function busy_machine')
  }
})

test('a process that stops while another one seals waits for it, and leaves nothing', async () => {
  const before = await sealed()
  const sealer = startSealer({ db: database.db, log: { error: () => expect.unreachable() } })
  await owner.query('begin; select * from audit_head for update')
  await write()
  const stopping = sealer.stop()
  await wait(100)
  await owner.query('commit')
  await stopping
  expect(await sealed()).toBe(before + 1)
})

test('events that wait too long are an alarm, once, and are sealed as soon as they can be', async () => {
  const before = await sealed()
  const lines: string[] = []
  const log = { error: (_: object, line: string) => void lines.push(line) } as never
  await owner.query('begin; select * from audit_head for update')
  await write()
  const sealer = startSealer({ db: database.db, log, alarmAfter: 0.3 })
  await expect.poll(() => lines.length, { timeout: 3000 }).toBe(1)
  await wait(600)
  expect(lines).toEqual(['audit events have waited too long for their place in the chain'])
  expect(await unsealedSeconds(database.db)).toBeGreaterThan(0.3)
  await owner.query('rollback')
  await expect.poll(sealed, { timeout: 1000 }).toBe(before + 1)
  await sealer.stop()
})

test('a database that answers nothing is an alarm too', async () => {
  const lines: string[] = []
  const log = { error: (_: object, line: string) => void lines.push(line) } as never
  await owner.query('alter function seal_audit_events rename to gone')
  const sealer = startSealer({ db: database.db, log })
  await expect.poll(() => lines).toEqual(['audit events could not be sealed; retrying'])
  await owner.query('alter function gone rename to seal_audit_events')
  await sealer.stop()
})

test('an event goes to the partition of its month, which exists three months ahead', async () => {
  await database.pool.query('select add_audit_months()')
  for (const days of [0, 80]) {
    const now = new Date(Date.now() + days * 24 * 3600 * 1000)
    await writeAuditEvent(database.db, { name: 'unknown' }, { requestId: 'r', now })
    await sealAuditEvents(database.db)
    const { rows } = await owner.query(
      'select tableoid::regclass::text as part from audit_events where created_at = $1',
      [now],
    )
    expect(rows[0].part).toBe(`audit_events_${now.toISOString().slice(0, 7).replace('-', '_')}`)
  }
})

test('events that are sealed are counted once, also those of a process that ended in between and of two at once', async () => {
  const figures = async () =>
    (
      await owner.query(
        `select sum(count)::integer as sum from daily_figures where figure = 'signIn' and organization_id is null`,
      )
    ).rows[0].sum ?? 0
  await sealAndCount(database.db)
  const before = await figures()
  for (let number = 0; number < 5; number++)
    await writeAuditEvent(database.db, { name: 'loginSuccess' }, { requestId: 'r', now: new Date() })
  // As if the process ended before it counted.
  await sealAuditEvents(database.db)
  expect(await figures()).toBe(before)
  await Promise.all([sealAndCount(database.db), sealAndCount(database.db)])
  await sealAndCount(database.db)
  expect(await figures()).toBe(before + 5)
})

test('a reader that waits finds the events that another process is sealing', async () => {
  await owner.query('begin; select * from audit_head for update')
  await write()
  const before = await sealed()
  expect(await sealAuditEvents(database.db)).toBe(0)
  const waiting = sealAuditEvents(database.db, { waits: true })
  await owner.query('commit')
  expect(await waiting).toBe(1)
  expect(await sealed()).toBe(before + 1)
})

test('a reader does not wait long for a process that hangs', async () => {
  await owner.query('begin; select * from audit_head for update')
  await write()
  expect(await sealAuditEvents(database.db, { waits: true })).toBe(0)
  await owner.query('commit')
  expect(await sealAuditEvents(database.db, { waits: true })).toBe(1)
})
