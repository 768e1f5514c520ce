import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { newId } from '../ids.ts'
import { writeAuditEvent } from './audit.ts'
import { type ChainRow, selectChainRows } from './audit-chain.ts'
import { exportHeader, exportLine } from './audit-export.ts'
import { sealAuditEvents } from './sealer.ts'

const program = join(import.meta.dirname, '../../../tools/verify-audit.py')
const hasPython = spawnSync('python3', ['--version']).status === 0
if (process.env.CI && !hasPython) throw new Error('python3 is missing')

const folder = mkdtempSync(join(tmpdir(), 'vestibule-audit-export-'))
let database: ConnectedDatabase
let owner: pg.Client
let lines: string[]
let head: { seq: number; hash: string }

beforeAll(async () => {
  database = await connectTestDatabase()
  owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  const actor = { id: newId(), label: 'Åsa "Öberg", 7:x,-\n\u{1F512}', organizationIds: [newId(), newId()] }
  for (const name of ['updateUser', 'loginFailure', 'logout', 'unknown'] as const)
    await writeAuditEvent(
      database.db,
      { name, target: { id: null, label: 'a,1:b' }, after: { firstName: 'Ö', lastName: name } },
      { actor: name === 'logout' ? undefined : actor, requestId: 'r', now: new Date() },
    )
  await sealAuditEvents(database.db)
  const { rows } = await owner.query<ChainRow>(`${selectChainRows} order by c.seq`)
  const { rows: heads } = await owner.query(`select seq::int, encode(hash, 'hex') as hash from audit_head`)
  head = heads[0]
  lines = [exportHeader({ complete: true, head }), ...rows.map(exportLine)]
})
afterAll(async () => {
  await owner?.end()
  await database?.close()
  rmSync(folder, { recursive: true })
})

function check(content: string[], ...options: string[]) {
  const file = join(folder, 'export.jsonl')
  writeFileSync(file, content.join(''))
  const { status, stdout, stderr } = spawnSync('python3', [program, file, ...options], { encoding: 'utf8' })
  return { status, out: (stdout + stderr).trim() }
}
const changed = (index: number, fields: Record<string, unknown>) =>
  lines.map((line, at) => (at === index ? `${JSON.stringify({ ...JSON.parse(line), ...fields })}\n` : line))

describe.runIf(hasPython)('an inspector who trusts no code of ours', () => {
  test('sees that an export is intact, whatever the texts hold', () => {
    expect(check(lines, '--known', `${head.seq}:${head.hash}`)).toEqual({
      status: 0,
      out: `intact: 4 rows, head 4:${head.hash}`,
    })
  })

  test('sees that each row of a selection is', () => {
    const some = [exportHeader({ complete: false, head }), lines[1], lines[3]] as string[]
    expect(check(some)).toMatchObject({ status: 0, out: expect.stringContaining('2 rows of a selection') })
  })

  test.each<[string, () => string[], string]>([
    ['a changed label', () => changed(2, { actor: 'x' }), 'row 2: its content was changed'],
    ['an emptied text in place of none', () => changed(3, { actor: '' }), 'row 3: its content'],
    ['a changed moment', () => changed(2, { microseconds: '1' }), 'row 2: its content'],
    ['another family', () => changed(2, { family: 'signIn' }), 'row 2: its place'],
    ['a new hash', () => changed(4, { hash: head.hash.replace(/^./, 'x') }), 'row 4'],
    ['an event that is said to be removed', () => changed(2, { removed: true }), 'row 2: the event is'],
    ['a deleted row', () => lines.filter((_, at) => at !== 2), 'row 2: the row is missing; the next one is 3'],
    ['a row that is there twice', () => lines.flatMap((line, at) => (at === 2 ? [line, line] : [line])), 'row 3'],
    ['two swapped rows', () => [0, 1, 3, 2, 4].map((at) => lines[at] as string), 'row 2'],
    ['a cut-off end', () => lines.slice(0, 4), 'row 4: the chain ends here, and its head is row 4'],
  ])('is told of %s', (_, content, told) => {
    expect(check(content())).toMatchObject({ status: 1, out: expect.stringContaining(told) })
  })

  test('is told of a head that is not the one that was logged', () => {
    const options = ['--known', `3:${head.hash}`, '--known', `9:${head.hash}`]
    expect(check(lines, ...options)).toMatchObject({
      status: 1,
      out: expect.stringContaining('row 3: it is not the row'),
    })
    expect(check(lines, ...options.slice(2)).out).toContain('row 9 was known')
  })

  test('is told that a file is no export', () => {
    expect(check(['{}\n']).status).toBe(2)
    expect(check(['x']).status).toBe(2)
    expect(check([lines[0] as string, '[]\n']).status).toBe(2)
  })
})
