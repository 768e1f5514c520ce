import { spawnSync } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { testMasterKey } from '#test/test-app.ts'
import { newId } from '../../ids.ts'
import { type Keys, openKeys } from '../../secrets/keys.ts'
import { writeAuditEvent } from '../audit.ts'
import { type ChainRow, selectChainRows } from '../audit-chain.ts'
import { exportHeader, exportLine } from '../audit-export.ts'
import { openCheckpoint } from '../checkpoint.ts'
import { removeOldEvents } from '../retention.ts'
import { sealAuditEvents } from '../sealer.ts'
import { moveOldMonths } from './move-months.ts'
import { removeOldFiles } from './remove-files.ts'
import { verifyEverything } from './verify-everything.ts'

const now = new Date('2026-03-01T00:00:00Z')
const settings = { auditMonths: 36, auditSignInMonths: 12, auditUnknownSignInMonths: 3, auditColdAfterMonths: 12 }
const person = { id: newId(), label: 'anna@nordvik.example' }
const program = join(import.meta.dirname, '../../../../tools/verify-audit.py')
const hasPython = spawnSync('python3', ['--version']).status === 0

let database: ConnectedDatabase
let owner: pg.Client
let keys: Keys
let folder: string
const warnings: unknown[] = []
const log = { info: () => {}, warn: (line: unknown) => warnings.push(line) } as never
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vestibule-audit-cold-'))
  database = await connectTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  keys = await openKeys({ db: database.db, masterKey: testMasterKey, clock: () => now })
  for (const [month, next] of [
    ['2024-01', '2024-02'],
    ['2024-02', '2024-03'],
  ])
    await owner.query(`create table audit_events_${month?.replace('-', '_')} partition of audit_events_sealed
      for values from ('${month}-01Z') to ('${next}-01Z')`)
  // The last two of January get their places among those of February.
  await write('2024-01-10', '2024-01-31', '2024-02-01', '2024-01-31', '2024-02-20', '2024-04-02', '2025-06-10')
})
afterAll(async () => {
  keys?.close()
  await owner?.end()
  await database?.close()
  rmSync(folder, { recursive: true })
})

async function write(...days: string[]) {
  for (const day of days) {
    const context = { requestId: 'r', now: new Date(`${day}T12:00:00Z`) }
    await writeAuditEvent(database.db, { name: 'updateUser', target: { ...person, label: `Å\u2028 ${day}` } }, context)
    await writeAuditEvent(database.db, { name: 'loginSuccess', target: person, actor: person }, context)
    await sealAuditEvents(database.db)
  }
}
const options = (changed: object = {}) => ({
  db: database.db,
  keys,
  now,
  log,
  settings: { ...settings, auditColdDir: folder, ...changed },
})
const verify = (place: string | undefined = folder) => verifyEverything(owner, { keys, folder: place, known: [] })
const kept = async () =>
  (await owner.query(`select to_char(created_at, 'YYYY-MM-DD') as day from audit_events order by created_at`)).rows.map(
    ({ day }) => day,
  )
/** The file of a month: the rest of its name is the beginning of its SHA-256. */
const fileOf = (month: string) => {
  const file = readdirSync(folder).find((name) => name.startsWith(`audit-${month}-`))
  if (!file) throw new Error(`no file of ${month}`)
  return join(folder, file)
}
const linesOf = (month: string) =>
  gunzipSync(readFileSync(fileOf(month)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a move that does not come to its end loses nothing, and the next one goes on', () => {
  test.each([
    ['the folder is not there', { auditColdDir: '/nowhere/at/all' }, 'the folder is not there'],
    ['it is a file', { auditColdDir: import.meta.filename }, 'it is not a folder'],
  ])('%s', async (_, changed, reason) => {
    const said = `: ${reason}. No event has left the database.`
    await expect(moveOldMonths(options(changed))).rejects.toThrow(said)
  })

  test.runIf(process.getuid?.() === 0)('the disk is full', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'vestibule-small-disk-'))
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,mode=0700', 'tmpfs', disk]).status).toBe(0)
    try {
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(16 * 1024))
      await expect(moveOldMonths(options({ auditColdDir: disk }))).rejects.toThrow('the disk is full')
      expect(readdirSync(disk)).toEqual(['ballast'])
    } finally {
      spawnSync('umount', [disk])
      rmSync(disk, { recursive: true })
    }
  })

  test('the database refuses the last step', async () => {
    await owner.query(`create function refuse() returns trigger language plpgsql as
      'begin raise exception ''refused by this test''; end'; create trigger refuse before insert on audit_checkpoints execute function refuse()`)
    await expect(moveOldMonths(options())).rejects.toThrow('refused by this test')
    await owner.query('drop trigger refuse on audit_checkpoints; drop function refuse')
  })

  test('nothing has left the database then', async () => {
    expect(await kept()).toHaveLength(14)
    expect(readdirSync(folder)).toEqual([])
    expect((await owner.query('select from audit_cold_months')).rowCount).toBe(0)
    expect((await verify()).verdict).toMatchObject({ intact: true, head: { seq: 14 } })
  })
})

test('months that are old enough are moved to files of their own, once, whatever was left behind', async () => {
  await removeOldEvents({ db: database.db, keys, now, retention: settings })
  const left = ['audit-2024-01.1.part', 'audit-2024-01.2.part'].map((name) => join(folder, name))
  for (const file of left) writeFileSync(file, 'half a file')
  utimesSync(left[0] ?? '', 0, 0)
  const [one, other] = await Promise.all([moveOldMonths(options()), moveOldMonths(options())])
  expect([...(one ?? []), ...(other ?? [])].sort()).toEqual(['2024-01', '2024-02', '2024-04'])
  expect(await moveOldMonths(options())).toEqual([])
  // Another process may still write the younger one.
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['audit-2024-01.2.part'])
  rmSync(left[1] ?? '')
  expect(readdirSync(folder).map((name) => name.slice(0, 14))).toEqual([
    'audit-2024-01-',
    'audit-2024-02-',
    'audit-2024-04-',
  ])
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  await sealAuditEvents(database.db)
  expect(await kept()).toEqual(['2025-06-10', '2025-06-10', ...Array(4).fill('2026-03-01')])
  const { rows } = await owner.query(`select target, changes from audit_events where name = 'moveAuditMonth'
    order by target`)
  expect(rows.map(({ target }) => target)).toEqual(['2024-01', '2024-02', '2024-04'])
  expect(rows[0].changes).toContainEqual({ property: 'chainRows', previousValue: null, newValue: '8' })
  expect((await owner.query(`select to_regclass('audit_events_2024_01') as part`)).rows[0].part).toBeNull()
})

test('a file has its month up to the last row of it; sign-ins that are too old are gone from it', () => {
  const [header, ...rows] = linesOf('2024-01')
  expect(header).toMatchObject({ format: 'vestibule-audit-export-2', complete: true, head: { seq: 8 } })
  expect(rows.map(({ seq, target, removed }) => [seq, removed ? 'removed' : target.slice(3)])).toEqual([
    [1, '2024-01-10'],
    [2, 'removed'],
    [3, '2024-01-31'],
    [4, 'removed'],
    [5, '2024-02-01'],
    [6, 'removed'],
    [7, '2024-01-31'],
    [8, 'removed'],
  ])
  expect(linesOf('2024-02')[1]).toMatchObject({ seq: 9 })
})

describe('the log is verified', () => {
  test('over the files', async () => {
    const { cold, verdict } = await verify()
    expect(verdict).toMatchObject({ intact: true, head: { seq: 18 } })
    expect(cold).toMatchObject({ read: ['2024-01', '2024-02', '2024-04'], unread: [], last: { seq: 12 } })
  })

  test('without a file that is elsewhere, which is said', async () => {
    const file = fileOf('2024-02')
    renameSync(file, `${file}.away`)
    const { cold, verdict } = await verify()
    renameSync(`${file}.away`, file)
    expect(verdict).toMatchObject({ intact: true })
    expect(cold).toMatchObject({ read: ['2024-01', '2024-04'], unread: [{ month: '2024-02' }] })
    expect((await verifyEverything(owner, { keys, folder: undefined, known: [] })).cold.unread).toHaveLength(3)
  })

  const changedFile = async (change: (text: string) => string) => {
    const file = fileOf('2024-02')
    const before = readFileSync(file)
    writeFileSync(file, gzipSync(change(gunzipSync(before).toString())))
    const { verdict } = await verify()
    writeFileSync(file, before)
    return verdict
  }
  test.each<[string, (text: string) => string, number, string]>([
    ['a changed event', (text) => text.replace('2024-02-20', '2024-02-21'), 9, 'its content was changed'],
    [
      'an event that is said to be removed',
      (text) => text.replace('"seq":9,', '"removed":true,"seq":9,'),
      9,
      'missing',
    ],
    ['a missing row', (text) => text.replace(/\n\{"seq":9,[^\n]*/, ''), 9, 'the row is missing; the next one is 10'],
    ['a cut-off end', (text) => text.replace(/\n\{"seq":10,[^\n]*/, ''), 10, 'the file ends here'],
    ['half a line', (text) => text.slice(0, -20), 9, 'cannot be read'],
    ['another head', (text) => text.replace(/"signed":"[^.]*/, '"signed":"e30'), 9, 'no key of this portal'],
    ['a blank more', (text) => text.replace(/\n$/, ' \n'), 9, 'not the one that was signed'],
  ])('and names %s', async (_, change, seq, reason) => {
    expect(await changedFile(change)).toMatchObject({ intact: false, seq, reason: expect.stringContaining(reason) })
  })

  test('and names what was changed in the table', async () => {
    for (const [statement, reason] of [
      [`update audit_cold_months set signed = 'x' where month = '2024-02'`, 'no key of this portal'],
      [`delete from audit_cold_months where month = '2024-02'`, undefined],
      [`delete from audit_cold_months where month = '2024-04'`, undefined],
      [`update audit_cold_months set month = '2024-03' where month = '2024-02'`, 'no key of this portal'],
    ] as const) {
      await owner.query(`begin; ${statement}`)
      const query = (text: string, values?: unknown[]) =>
        /^(begin|rollback)/.test(text) ? Promise.resolve() : owner.query(text, values)
      const found = await verifyEverything({ query } as never, { keys, folder, known: [] })
      await owner.query('rollback')
      if (reason) expect(found.verdict).toMatchObject({ intact: false, reason: expect.stringContaining(reason) })
      else expect(found.cold.gaps).toEqual([statement.includes('2024-04') ? '11 to 12' : '9 to 10'])
    }
  })

  test('also against a head that was logged while a month was still in the database', async () => {
    const wrong = [{ seq: 3, hash: 'f'.repeat(64) }]
    expect((await verifyEverything(owner, { keys, folder, known: wrong })).verdict).toMatchObject({
      intact: false,
      seq: 3,
      reason: expect.stringContaining('known at this place'),
    })
  })
})

test('the serving role cannot say that a month is in a file, nor that none is', async () => {
  for (const statement of [
    `insert into audit_cold_months (month, last_seq, signed, created_at) values ('2025-01', 99, 'x', now())`,
    'delete from audit_cold_months',
    `select keep_cold_month(to_char(now(), 'YYYY-MM'), 99, 'x', now())`,
    `select forget_cold_month(to_char(now(), 'YYYY-MM'), now())`,
  ])
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
})

test.runIf(hasPython)('an inspector checks the files, and the rest of the log after them', async () => {
  const { rows } = await owner.query<ChainRow>(`${selectChainRows} order by c.seq`)
  const { rows: heads } = await owner.query(`select seq::int, encode(hash, 'hex') as hash from audit_head`)
  const { rows: last } = await owner.query('select signed from audit_checkpoints order by number desc limit 1')
  const opened = await openCheckpoint(keys, last[0].signed)
  const checkpoint = opened && { signed: opened.signed, key: opened.key }
  const rest = join(folder, 'rest.jsonl')
  writeFileSync(rest, [exportHeader({ complete: true, head: heads[0], checkpoint }), ...rows.map(exportLine)].join(''))
  const months = ['01', '02', '04'].map((month) => fileOf(`2024-${month}`))
  const check = (...files: (string | undefined)[]) =>
    spawnSync('python3', [program, ...files.filter((file) => file !== undefined)], { encoding: 'utf8' })
  const whole = check(...months, rest)
  expect(whole.stdout + whole.stderr).toContain(`intact: 18 rows, head 18:${heads[0].hash}`)
  expect(check(months[1]).stdout).toContain('intact: 2 rows, head 10:')
  expect(check(months[0], months[2]).stdout).toContain('the rows between this file and the one before it are missing')
  expect(check(months[1], months[0]).status).toBe(1)
  rmSync(rest)
})

test('no file goes by a clock that is ahead of that of the database', async () => {
  const later = new Date(Date.now() + 400 * 86_400_000)
  await expect(removeOldFiles({ ...options(), now: later })).rejects.toThrow('ahead of that of the database')
  expect(readdirSync(folder)).toHaveLength(3)
})

test('a file that cannot be removed keeps its month, without an event, until the next run', async () => {
  const months = async () => (await owner.query('select from audit_cold_months')).rowCount
  const removal = removeOldFiles(options({ auditMonths: 24, auditColdDir: import.meta.filename }))
  await expect(removal).rejects.toThrow(
    /: it is not a folder\. audit-2024-01-[0-9a-f]{16}\.jsonl\.gz was not removed; the next run tries again\.$/,
  )
  expect(await months()).toBe(3)
  expect((await owner.query(`select from audit_events where name = 'removeAuditMonth'`)).rowCount).toBe(0)
})

test('files go when nothing of them is kept any more, once, with an event; one that is elsewhere is named', async () => {
  rmSync(fileOf('2024-02'))
  const shorter = options({ auditMonths: 24 })
  await Promise.all([removeOldFiles(shorter), removeOldFiles(shorter)])
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^audit-2024-04-/)])
  expect(warnings).toEqual([
    expect.objectContaining({ month: '2024-02', file: expect.stringMatching(/^audit-2024-02-/) }),
  ])
  const { cold, verdict } = await verify()
  expect(verdict).toMatchObject({ intact: true })
  expect(cold.read).toEqual(['2024-04'])
  const { rows } = await owner.query(`select target, actor, created_at as at, changes from audit_events
    where name = 'removeAuditMonth' order by target`)
  const gone = (property: string, previousValue: unknown) => ({ property, previousValue, newValue: null })
  const changes = (month: string, rowsOfMonth: string) => [
    gone('coldFile', expect.stringMatching(`^audit-${month}-`)),
    gone('chainRows', rowsOfMonth),
    gone('sha256', expect.stringMatching(/^[0-9a-f]{64}$/)),
  ]
  const missing = { property: 'coldFileMissing', previousValue: null, newValue: 'true' }
  expect(rows).toEqual([
    { target: '2024-01', actor: null, at: now, changes: changes('2024-01', '8') },
    { target: '2024-02', actor: null, at: now, changes: [...changes('2024-02', '2'), missing] },
  ])
})

test('an event that is dated ahead stops the moves until its month is old enough, and a warning names it', async () => {
  const { db, close } = await connectTestDatabase()
  try {
    for (const day of ['2031-05-05', '2024-01-10']) {
      const context = { requestId: 'r', now: new Date(day) }
      await writeAuditEvent(db, { name: 'updateUser', target: person }, context)
      await sealAuditEvents(db)
    }
    warnings.length = 0
    expect(await moveOldMonths({ ...options(), db })).toEqual([])
    expect(warnings).toEqual([{ row: 1, month: '2031-05' }])
  } finally {
    await close()
  }
})
