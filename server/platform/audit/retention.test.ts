import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { testMasterKey } from '#test/test-app.ts'
import { newId } from '../ids.ts'
import { type Keys, openKeys } from '../secrets/keys.ts'
import { writeAuditEvent } from './audit.ts'
import { type AuditHead, type ChainRow, selectChainRows } from './audit-chain.ts'
import { checkAuditChain, keepVerdict } from './audit-check.ts'
import { exportHeader, exportLine } from './audit-export.ts'
import { verifyAuditChain } from './audit-verify.ts'
import { checkpointFingerprints, openCheckpoint } from './checkpoint.ts'
import { removeOldEvents } from './retention.ts'
import { sealAuditEvents } from './sealer.ts'

const now = new Date('2026-03-01T00:00:00Z')
const retention = { auditMonths: 24, auditSignInMonths: 12, auditUnknownSignInMonths: 3 }
const person = { id: newId(), label: 'anna@nordvik.example' }

let database: ConnectedDatabase
let owner: pg.Client
let keys: Keys
beforeAll(async () => {
  database = await connectTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  keys = await openKeys({ db: database.db, masterKey: testMasterKey, clock: () => now })
  await owner.query(`create table audit_events_2023_05 partition of audit_events_sealed
    for values from ('2023-05-01Z') to ('2023-06-01Z')`)
  for (const day of ['2023-05-10', '2023-06-10', '2024-06-10', '2025-06-10', '2025-12-15']) {
    const context = { requestId: 'r', now: new Date(`${day}T12:00:00Z`) }
    await writeAuditEvent(database.db, { name: 'updateUser', target: person }, context)
    await writeAuditEvent(database.db, { name: 'loginSuccess', target: person, actor: person }, context)
    await writeAuditEvent(database.db, { name: 'loginFailure', target: person }, context)
    await writeAuditEvent(database.db, { name: 'loginFailure', target: { id: null, label: 'x@y.example' } }, context)
    await sealAuditEvents(database.db)
  }
})
afterAll(async () => {
  keys?.close()
  await owner?.end()
  await database?.close()
})

const remove = (months = retention) => removeOldEvents({ db: database.db, keys, now, retention: months })
const kept = async () =>
  (
    await owner.query(`select to_char(created_at, 'YYYY-MM') || ' ' || name || case when target_id is null then '?' else '' end
      as event from audit_events where sealed order by created_at, id`)
  ).rows.map(({ event }) => event)
const chain = async () => (await owner.query('select min(seq)::int as first, count(*)::int from audit_chain')).rows[0]

test('nothing is removed while nothing is too old', async () => {
  await remove({ auditMonths: 1000, auditSignInMonths: 1000, auditUnknownSignInMonths: 1000 })
  expect(await kept()).toHaveLength(20)
  expect(await verifyAuditChain(owner, { keys })).toMatchObject({ intact: true, head: { seq: 20 } })
})

test('nothing is removed by a clock that is ahead of that of the database', async () => {
  const later = new Date(Date.now() + 2 * 86_400_000)
  const removal = removeOldEvents({ db: database.db, keys, now: later, retention })
  await expect(removal).rejects.toThrow('ahead of that of the database')
  expect(await kept()).toHaveLength(20)
})

test('each family is removed at its own age, a month at once where all of it is too old, and the chain stays whole', async () => {
  await remove()
  expect(await kept()).toEqual([
    '2024-06 updateUser',
    '2025-06 updateUser',
    '2025-06 loginSuccess',
    '2025-06 loginFailure',
    '2025-12 updateUser',
    '2025-12 loginSuccess',
    '2025-12 loginFailure',
    '2025-12 loginFailure?',
  ])
  expect(await chain()).toEqual({ first: 9, count: 12 })
  const { rows } = await owner.query(`select to_regclass('audit_events_2023_05') as part,
    (select removed::int from audit_checkpoints order by number desc limit 1) as removed`)
  expect(rows[0]).toEqual({ part: null, removed: 12 })
  expect(await verifyAuditChain(owner, { keys })).toMatchObject({ intact: true, head: { seq: 20 }, unsealed: 2 })
  await remove()
  expect(await kept()).toHaveLength(8)
})

test('each removal is an event with the number of events, and one that removes nothing is none', async () => {
  const { rows: events } = await owner.query(`select target, actor, created_at as at, changes from audit_events
    where name = 'removeAuditEvents' order by changes ->> 0`)
  const removed = (newValue: string) => ({
    target: null,
    actor: null,
    at: now,
    changes: [{ property: 'removedEvents', previousValue: null, newValue }],
  })
  expect(events).toEqual([removed('4'), removed('8')])
  // What follows is about the twenty.
  await owner.query(`begin; set local vestibule.sealing = 'on'; delete from audit_events_new; commit`)
})

test('a longer time brings nothing back, and the chain stays whole', async () => {
  await remove({ auditMonths: 48, auditSignInMonths: 48, auditUnknownSignInMonths: 48 })
  expect(await verifyAuditChain(owner, { keys })).toMatchObject({ intact: true })
})

test('the nightly check goes on from the last one; after a fault it reads the whole log, and that is an alarm', async () => {
  const lines: unknown[] = []
  const log = { info: (line: unknown) => lines.push(line), error: (line: unknown) => lines.push(line) } as never
  await checkAuditChain({ db: database.db, keys, now, log })
  await owner.query(`alter table audit_events disable trigger user; update audit_events set actor = 'x'`)
  const later = (days: number) => new Date(now.getTime() + days * 86_400_000)
  await checkAuditChain({ db: database.db, keys, now: later(1), log })
  const verdict = await verifyAuditChain(owner, { keys })
  await keepVerdict({ db: database.db, keys, now: later(2) }, verdict)
  await checkAuditChain({ db: database.db, keys, now: later(3), log })
  await owner.query(`update audit_events set actor = null where name <> 'loginSuccess';
    update audit_events set actor = '${person.label}' where name = 'loginSuccess'; alter table audit_events enable trigger user`)
  await checkAuditChain({ db: database.db, keys, now: later(4), log })
  await checkAuditChain({ db: database.db, keys, now: later(5), log })
  const changed = { seq: 9, id: expect.any(String), reason: 'its content was changed' }
  expect(lines).toEqual([{ seq: 20 }, { seq: 20 }, changed, { seq: 20 }, { seq: 20 }])
  const { rows } = await owner.query(
    'select after_seq::int as after, seq::int, fault from audit_checks order by checked_at',
  )
  expect(rows).toEqual([
    { after: 0, seq: 20, fault: null },
    { after: 20, seq: 20, fault: null },
    { after: 0, seq: 9, fault: 'its content was changed' },
    { after: 0, seq: 9, fault: 'its content was changed' },
    { after: 0, seq: 20, fault: null },
    { after: 20, seq: 20, fault: null },
  ])
})

describe('removing what is not too old', () => {
  test.each([
    ['an event', `delete from audit_events where name = 'updateUser'`],
    ['a place in the chain', 'delete from audit_chain where seq = 10'],
  ])('is refused to the owner: %s', async (_, statement) => {
    await expect(owner.query(statement)).rejects.toThrow('is append-only')
  })

  test.each([
    ['younger than six months', `now() - interval '5 months', now() - interval '2 years', now() - interval '2 years'`],
    ['a sign-in of last month', `now() - interval '2 years', now() - interval '1 month', now() - interval '2 years'`],
    ['a place that is needed', `'2024-03-01Z', '2025-03-01Z', '2025-12-01Z'`],
  ])('is refused to the serving role, whatever it signs: %s', async (_, limits) => {
    const statement = `select begin_audit_removal('signed', 15, ${limits}, now())`
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test.each([
    'delete from audit_events',
    'delete from audit_chain',
    'update audit_checkpoints set start_seq = 20',
    'delete from audit_checks',
    `insert into audit_checkpoints (signed, start_seq, change_before, sign_in_before, unknown_sign_in_before, created_at)
      values ('x', 20, now(), now(), now(), now())`,
  ])('is refused to the serving role: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  const forged = async (statement: string, after?: AuditHead) => {
    await owner.query(`begin; alter table audit_events disable trigger user; alter table audit_events_sealed disable trigger user; alter table audit_chain disable trigger user;
      ${statement}`)
    const query = (text: string, values?: unknown[]) =>
      /^(begin|rollback)/.test(text) ? Promise.resolve() : owner.query(text, values)
    try {
      return await verifyAuditChain({ query } as pg.Client, { keys, after })
    } finally {
      await owner.query('rollback')
    }
  }
  test.each([
    [
      'an event that is young enough',
      `delete from audit_events where created_at > '2025-06-01'`,
      13,
      'event is missing',
    ],
    ['the oldest row', 'delete from audit_chain where seq = 9', 9, 'the row is missing'],
    ['the place of a removed event', 'delete from audit_chain where seq = 10', 10, 'the row is missing'],
    [
      'a removed event that is said to be older',
      `update audit_chain set created_at = '2020-01-01' where seq = 9`,
      9,
      'its place',
    ],
    ['a removed event of another family', `update audit_chain set family = 'change' where seq = 10`, 10, 'missing'],
    [
      'a changed digest of a removed event',
      `update audit_chain set digest = sha256('x') where seq = 10`,
      10,
      'its place',
    ],
    [
      'a checkpoint that nobody signed',
      `update audit_checkpoints set signed = regexp_replace(signed, '\\.[^.]*$', '.AAAA')`,
      1,
      'no key of this portal signed',
    ],
    ['no checkpoint', 'delete from audit_checkpoints', 1, 'the row is missing; the next one is 9'],
  ])('shows: %s', async (_, statement, seq, reason) => {
    expect(await forged(statement)).toMatchObject({ intact: false, seq, reason: expect.stringContaining(reason) })
  })

  test.each([
    ['nothing', 'select', undefined, undefined],
    [
      'that row itself',
      `update audit_chain set hash = sha256('x') where seq = 15`,
      15,
      'not the row that was verified',
    ],
    ['its absence', 'delete from audit_chain where seq = 15', 15, 'not the row that was verified'],
    [
      'a later event',
      `update audit_events e set actor = 'x' from audit_chain c where c.seq = 18 and c.event_id = e.id`,
      18,
      'its content was changed',
    ],
    [
      'an event beside the later ones',
      `insert into audit_events_sealed (id, name, created_at) values (gen_random_uuid(), 'logout', '2025-12-20')`,
      21,
      'beside the chain',
    ],
  ])('shows to a check that goes on from row 15: %s', async (_, statement, seq, reason) => {
    const { rows } = await owner.query(`select seq::int, encode(hash, 'hex') as hash from audit_chain where seq = 15`)
    const verdict = await forged(statement, rows[0])
    if (reason) expect(verdict).toMatchObject({ intact: false, seq, reason: expect.stringContaining(reason) })
    else expect(verdict).toMatchObject({ intact: true, head: { seq: 20 } })
  })
})

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'an inspector checks what is left, and the signature',
  async () => {
    const { rows } = await owner.query<ChainRow>(`${selectChainRows} order by c.seq`)
    const { rows: heads } = await owner.query(`select seq::int, encode(hash, 'hex') as hash from audit_head`)
    const { rows: last } = await owner.query('select signed from audit_checkpoints order by number desc limit 1')
    const opened = await openCheckpoint(keys, last[0].signed)
    const checkpoint = opened && { signed: opened.signed, key: opened.key }
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-audit-export-'))
    const check = (lines: string[], key: string) => {
      writeFileSync(join(folder, 'export.jsonl'), lines.join(''))
      const program = join(import.meta.dirname, '../../../tools/verify-audit.py')
      return spawnSync('python3', [program, join(folder, 'export.jsonl'), '--key', key], { encoding: 'utf8' }).stdout
    }
    const lines = [exportHeader({ complete: true, head: heads[0], checkpoint }), ...rows.map(exportLine)]
    const [fingerprint = ''] = checkpointFingerprints(keys)
    expect(check(lines, fingerprint)).toContain(`intact: 12 rows, head 20:${heads[0].hash}`)
    expect(check(lines, 'f'.repeat(64))).toContain('signed by the key')
    const younger = lines.map((line) => line.replace('"seq":9,', '"removed":true,"seq":9,'))
    expect(check(younger, fingerprint)).toContain('row 9: the event is missing')
    const forged = lines.map((line) => line.replace(/("signed":"[^.]*\.)([^.]*)/, '$1e30'))
    expect(check(forged, fingerprint)).toContain('the signature of the checkpoint is wrong')
    rmSync(folder, { recursive: true })
  },
)
