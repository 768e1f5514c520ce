import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { newId } from '../ids.ts'
import { type AuditEntry, listChanges, writeAuditEvent } from './audit.ts'
import type { AuditHead } from './audit-chain.ts'
import { verifyAuditChain } from './audit-verify.ts'
import { sealAuditEvents } from './sealer.ts'

const moment = new Date('2026-11-21T08:00:00.123Z')
const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({ name: 'updateService', ...more })
const circumstances = {
  actor: { id: newId(), label: 'super@vestibule.example', organizationIds: [] },
  requestId: 'r-1',
  now: moment,
}

let database: TestDatabase
let app: Database
let owner: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  app = openDatabase({ url: database.appUrl })
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await app?.close()
  await owner?.end()
  await database?.drop()
})

const verify = (options?: Parameters<typeof verifyAuditChain>[1]) => verifyAuditChain(owner, options)
const seal = () => sealAuditEvents(app.db)
const writeUnsealed = (more?: Partial<AuditEntry>) => writeAuditEvent(app.db, entry(more), circumstances)
const write = async (more?: Partial<AuditEntry>) => {
  await writeUnsealed(more)
  await seal()
}
const readHead = async (): Promise<AuditHead> => {
  const { rows } = await app.pool.query(`select seq, encode(hash, 'hex') as hash from audit_head`)
  return rows[0]
}
const lastSeq = async () => (await readHead()).seq

const switchProtection = (how: 'disable' | 'enable') =>
  ['audit_events', 'audit_events_sealed', 'audit_chain', 'audit_head']
    .map((table) => `alter table ${table} ${how} trigger user`)
    .join(';')

/** What only the owner can do, and only by switching the protection off. */
async function asForger(work: () => Promise<unknown>): Promise<void> {
  await owner.query(switchProtection('disable'))
  try {
    await work()
  } finally {
    await owner.query(switchProtection('enable'))
  }
}

/** Runs on a copy, so that the next test gets an intact log. */
async function onACopy(work: (client: pg.Client) => Promise<void>): Promise<void> {
  await owner.query('begin')
  try {
    await owner.query(switchProtection('disable'))
    await work(owner)
  } finally {
    await owner.query('rollback')
  }
}

/** Removes the transaction statements of `verify`: inside a test's transaction it cannot start its own snapshot. */
const insideOurTransaction = (client: pg.Client) =>
  verifyAuditChain({
    query: ((text: string, values?: unknown[]) =>
      /^(begin|rollback)/.test(text) ? Promise.resolve() : client.query(text, values)) as pg.Client['query'],
  })

describe('the chain', () => {
  test('of an empty log is intact', async () => {
    expect(await verify()).toEqual({
      intact: true,
      head: { seq: 0, hash: createHash('sha256').update('vestibule audit chain').digest('hex') },
      unsealed: 0,
    })
  })

  test('is recomputed byte by byte, whatever the texts hold', async () => {
    await write()
    await write({
      target: { id: newId(), label: 'Åsa "Öberg", 7:x,-\n\u{1F512}' },
      organizationIds: [newId(), newId()],
    })
    await write({
      before: { name: 'Journal', url: null },
      after: { name: 'Jöurnal\\', url: 'https://x.example/?a=1,2:3' },
    })
    await writeAuditEvent(
      app.db,
      { name: 'loginFailure' },
      { requestId: '', now: new Date('1969-12-31T23:59:59.999Z') },
    )
    await writeAuditEvent(app.db, { name: 'unknown', target: { id: '', label: '' } }, { requestId: 'r', now: moment })
    expect(await verify()).toMatchObject({ intact: true, unsealed: 2 })
    expect(await seal()).toBe(2)
    expect(await verify()).toMatchObject({ intact: true, head: { seq: 5 } })
  })

  test('is read in batches of any size', async () => {
    const whole = await verify()
    for (const batch of [1, 2, 5, 6]) expect(await verify({ batch })).toEqual(whole)
  })

  test('stays one chain with concurrent writers', async () => {
    const before = await lastSeq()
    await Promise.all(Array.from({ length: 60 }, (_, index) => write({ target: { id: String(index), label: 'x' } })))
    await seal()
    expect(await verify()).toMatchObject({ intact: true, head: { seq: before + 60 } })
  })

  test('has no loss and no gap while many write, and two processes seal', async () => {
    const before = await lastSeq()
    const other = openDatabase({ url: database.appUrl })
    const writing = Promise.all(Array.from({ length: 200 }, () => writeUnsealed()))
    const written = writing.then(() => true)
    let sealed = 0
    while (!(await Promise.race([written, false])))
      for (const count of await Promise.all([seal(), sealAuditEvents(other.db)])) sealed += count
    sealed += await seal()
    await other.close()
    expect(sealed).toBe(200)
    expect(await verify()).toMatchObject({ intact: true, head: { seq: before + 200 }, unsealed: 0 })
  })

  test('waits for nobody: an event of an open transaction comes after those of later ones', async () => {
    const before = await lastSeq()
    await app.db.transaction().execute(async (db) => {
      await writeAuditEvent(db, entry(), circumstances)
      await write()
      expect(await lastSeq()).toBe(before + 1)
    })
    await seal()
    expect(await verify()).toMatchObject({ intact: true, head: { seq: before + 2 }, unsealed: 0 })
  })

  test('has no loss and no gap when a transaction is rolled back', async () => {
    const before = await lastSeq()
    const undone = app.db.transaction().execute(async (db) => {
      await writeAuditEvent(db, entry(), circumstances)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    await write()
    expect(await verify()).toMatchObject({ intact: true, head: { seq: before + 1 } })
  })

  test('has the events of one transaction in their order, whatever their ids', async () => {
    const ids = [newId(), newId(), newId()].reverse()
    await app.db.transaction().execute(async (db) => {
      for (const id of ids)
        await db.insertInto('auditEvents').values({ id, name: 'unknown', createdAt: moment }).execute()
    })
    await seal()
    const { rows } = await owner.query('select event_id from audit_chain order by seq desc limit 3')
    expect(rows.map(({ event_id }) => event_id).reverse()).toEqual(ids)
  })

  test('has a place for an event of any year', async () => {
    for (const now of ['0001-01-01T00:00:00Z', '2031-07-01T00:00:00Z', '9999-12-31T23:59:59Z'])
      await writeAuditEvent(app.db, entry(), { ...circumstances, now: new Date(now) })
    expect(await seal()).toBe(3)
    expect(await verify()).toMatchObject({ intact: true })
  })
})

describe('the serving role', () => {
  test.each([
    ['change an event', `update audit_events set actor = 'somebody else'`],
    ['delete an event', 'delete from audit_events'],
    ['empty the log', 'truncate audit_events'],
    ['move the head', 'update audit_head set seq = 0'],
    ['delete the head', 'delete from audit_head'],
    ['empty the head', 'truncate audit_head'],
    ['change the chain', `update audit_chain set hash = ''`],
    ['add to the chain', 'insert into audit_chain select * from audit_chain'],
    ['delete from the chain', 'delete from audit_chain'],
    ['keep an event from the chain', 'delete from audit_events where not sealed'],
    [
      'say that an event is sealed',
      `insert into audit_events (id, name, created_at, sealed) values (gen_random_uuid(), 'x', now(), true)`,
    ],
    [
      'reach the queue past its table',
      'insert into audit_events_new (id, name, created_at) select id, name, created_at from audit_events',
    ],
    ['count events again', 'update daily_figures_until set seq = 0'],
    ['switch the protection off', 'alter table audit_events disable trigger all'],
    ['switch it off for its session', 'set session_replication_role = replica'],
    [
      'replace the hash',
      `create or replace function audit_field(field text) returns text language sql as $$ select ''::text $$`,
    ],
    ['drop the table', 'drop table audit_events'],
  ])('cannot %s', async (_, statement) => {
    await expect(app.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })
})

describe('the owner of the tables cannot by mistake', () => {
  test.each([
    ['change an event', `update audit_events set actor = 'somebody else'`],
    ['delete an event', 'delete from audit_events'],
    ['empty the log', 'truncate audit_events'],
    ['empty a part of the log', 'truncate audit_events_other'],
    ['delete from the chain', 'delete from audit_chain where seq = 1'],
    ['empty the chain', 'truncate audit_chain'],
    ['delete the head', 'delete from audit_head'],
    ['empty the head', 'truncate audit_head'],
  ])('cannot %s', async (_, statement) => {
    await expect(owner.query(statement)).rejects.toThrow('is append-only')
  })
})

const isRow = (seq: number) => `id = (select event_id from audit_chain where seq = ${seq})`

describe('a forged log names its first broken link', () => {
  test.each<[string, string, number | undefined, string]>([
    ['a changed label', `update audit_events set actor = 'x' where ${isRow(3)}`, 3, 'its content was changed'],
    [
      'a changed moment',
      `update audit_events set created_at = created_at + interval '1 us' where ${isRow(4)}`,
      4,
      'the event is missing',
    ],
    [
      'a moment that was changed in the chain too',
      `update audit_events set created_at = created_at + interval '1 us' where ${isRow(4)};
       update audit_chain set created_at = created_at + interval '1 us' where seq = 4`,
      4,
      'its content',
    ],
    ['an emptied text in place of none', `update audit_events set actor = '' where ${isRow(4)}`, 4, 'its content'],
    ['changed organisations', `update audit_events set organization_ids = '{}' where ${isRow(2)}`, 2, 'its content'],
    ['changed changes', `update audit_events set changes = '[]' where ${isRow(3)}`, 3, 'its content'],
    [
      'a new digest for changed content',
      `update audit_events set actor = 'x' where ${isRow(3)}; update audit_chain set digest = sha256('x') where seq = 3`,
      3,
      'its content',
    ],
    ['a new hash', `update audit_chain set hash = sha256('x') where seq = 3`, 3, 'its place'],
    ['another family', `update audit_chain set family = 'unknownSignIn' where seq = 3`, 3, 'its place'],
    [
      'another event in its place',
      `update audit_chain c set event_id = other.event_id, created_at = other.created_at
       from audit_chain other where c.seq = 3 and other.seq = 2`,
      3,
      'its content',
    ],
    ['a deleted event', `delete from audit_events where ${isRow(3)}`, 3, 'missing'],
    ['a deleted first event', `delete from audit_events where ${isRow(1)}`, 1, 'missing'],
    ['a deleted place', 'delete from audit_chain where seq = 3', 3, 'missing'],
    [
      'an event that was deleted with its place',
      `delete from audit_events where ${isRow(3)}; delete from audit_chain where seq = 3`,
      3,
      'missing',
    ],
    [
      'an added event',
      `insert into audit_events (id, name, created_at, sealed) values ('${newId()}', 'deleteUser', now(), true)`,
      undefined,
      'beside the chain',
    ],
    ['a moved head', `update audit_head set seq = seq + 1`, undefined, 'head'],
    ['a head with another hash', `update audit_head set hash = sha256('x')`, undefined, 'head'],
    ['no head', 'delete from audit_head', undefined, 'head of the chain is missing'],
  ])('%s', async (_, statement, seq, reason) => {
    const end = await lastSeq()
    await onACopy(async (client) => {
      await client.query(statement)
      const verdict = await insideOurTransaction(client)
      expect(verdict).toMatchObject({ intact: false, seq: seq ?? end + 1, reason: expect.stringContaining(reason) })
    })
    expect(await verify()).toMatchObject({ intact: true })
  })

  test('two swapped events', async () => {
    await onACopy(async (client) => {
      await client.query('update audit_chain set seq = -seq where seq in (3, 4)')
      await client.query('update audit_chain set seq = 7 + seq where seq in (-3, -4)')
      expect(await insideOurTransaction(client)).toMatchObject({ intact: false, seq: 3 })
    })
  })
})

test('a deleted tail is detected by a logged head, even if the forger moved the head', async () => {
  const known = await readHead()
  expect(await verify({ known: [known] })).toMatchObject({ intact: true })
  await asForger(async () => {
    await owner.query(`delete from audit_events where ${isRow(known.seq)}`)
    await owner.query('delete from audit_chain where seq = $1', [known.seq])
    await owner.query('update audit_head set seq = c.seq, hash = c.hash from audit_chain c where c.seq = $1', [
      known.seq - 1,
    ])
  })
  expect(await verify()).toMatchObject({ intact: true })
  expect(await verify({ known: [known] })).toEqual({
    intact: false,
    seq: known.seq,
    id: undefined,
    reason: `the chain ends here, and row ${known.seq} was known`,
  })
  await write()
  expect(await verify({ known: [known] })).toMatchObject({
    intact: false,
    seq: known.seq,
    reason: expect.stringContaining('known at this place'),
  })
})

describe('what an event tells', () => {
  test('only what differs', () => {
    expect(listChanges({ name: 'Journal', url: 'a', version: 1 }, { name: 'Journal', url: 'b', version: 2 })).toEqual([
      { property: 'url', previousValue: 'a', newValue: 'b' },
    ])
  })

  test('personal and phone numbers only masked, and two that mask alike are still a change', () => {
    expect(
      listChanges(
        { ssn: '199001012384', phoneNumber: '+46701740605' },
        { ssn: '199001012392', phoneNumber: '+46701740635' },
      ),
    ).toEqual([
      { property: 'ssn', previousValue: '19900101-****', newValue: '19900101-****' },
      { property: 'phoneNumber', previousValue: '+46*****05', newValue: '+46*****35' },
    ])
  })

  test('null, undefined and an empty text are no change', () => {
    expect(listChanges({ phoneNumber: '', ssn: null }, { services: '', phoneNumber: null, ssn: '' })).toEqual([])
  })

  test('a personal number that somebody typed into another field only masked, and what looks like one left alone', () => {
    const id = '01900000-0000-7000-8000-199001012384'
    const after = { searchQuery: '19900101-2384', message: 'Anna, 199001012384.', service: id, day: '202613011530' }
    expect(listChanges({}, after).map(({ newValue }) => newValue)).toEqual([
      '19900101-****',
      'Anna, 19900101-****.',
      id,
      '202613011530',
    ])
  })

  test('an invalid personal number is masked completely', () => {
    expect(listChanges({}, { ssn: 'placeholder-17' })).toEqual([
      { property: 'ssn', previousValue: null, newValue: '****' },
    ])
  })

  test.each(['password', 'passwordHash', 'newPassword', 'inviteToken', 'clientSecret', 'ssnSealed'])(
    'nothing of %s',
    (property) => {
      expect(listChanges({ [property]: 'a' }, { [property]: 'b' })).toEqual([])
    },
  )

  test('a text that the database cannot hold is made storable instead of losing the event', async () => {
    await write({ target: { id: 'x', label: 'a\u0000b\uD800' }, after: { name: '\u0000\uDFFF' } })
    const { rows } = await owner.query('select target, changes from audit_events order by id desc limit 1')
    expect(rows[0]).toEqual({
      target: 'a\uFFFDb\uFFFD',
      changes: [{ property: 'name', newValue: '\uFFFD\uFFFD', previousValue: null }],
    })
  })

  test('a value that is cut within a sign, which the database could not hold as it is', async () => {
    const whole = 'x'.repeat(3999)
    await write({ target: { id: 'x', label: `${whole}😀` }, before: { name: `${whole}😀` }, after: { name: 'b' } })
    const { rows } = await owner.query('select target, changes from audit_events order by id desc limit 1')
    expect(rows[0]).toEqual({
      target: `${whole}\uFFFD`,
      changes: [{ property: 'name', previousValue: `${whole}\uFFFD`, newValue: 'b' }],
    })
  })

  test('of two long values from shortly before they differ, else they would look alike', () => {
    const list = Array.from({ length: 500 }, (_, index) => `Service ${index}`).join(', ')
    const [change] = listChanges({ services: list }, { services: `${list}, Payroll [admin]` })
    expect(change?.newValue).toBe(`…${list.slice(-200)}, Payroll [admin]`)
    expect(change?.previousValue).toBe(`…${list.slice(-200)}`)
    const [other] = listChanges({ services: `Archive, ${list}` }, { services: list })
    expect([other?.previousValue?.slice(0, 16), other?.previousValue?.length]).toEqual(['Archive, Service', 4000])
  })

  test('a moment as ISO 8601, a number and a yes or no as they are', () => {
    expect(listChanges({}, { lastActive: moment, maxPassiveDays: 30, superUser: false })).toEqual([
      { property: 'lastActive', previousValue: null, newValue: '2026-11-21T08:00:00.123Z' },
      { property: 'maxPassiveDays', previousValue: null, newValue: '30' },
      { property: 'superUser', previousValue: null, newValue: 'false' },
    ])
  })

  test('names inside nested values are looked at as well', () => {
    const changes = listChanges(
      {},
      { person: { ssn: '199001012384', password: 'x' }, list: [{ phoneNumber: '+46701740605' }] },
    )
    expect(JSON.stringify(changes)).not.toMatch(/199001012384|"x"|\+46701740605/)
  })
})
