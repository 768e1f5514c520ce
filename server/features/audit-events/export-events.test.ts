import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventNames } from '#contract/audit-event.ts'
import texts from '#locales/sv/translation.json' with { type: 'json' }
import type { Client } from '#test/client.ts'
import { invite } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const program = join(import.meta.dirname, '../../../tools/verify-audit.py')
const hasPython = spawnSync('python3', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'vestibule-export-'))

let portal: TestApp
let root: Client
let admin: Client
let home: { organizationId: string; name: string }
let away: { organizationId: string; name: string }

beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(
    await portal.person({ email: 'root@export.example', superUser: true, preferredLanguage: 'en' }),
  )
  home = await portal.organization('Åsgård AB')
  away = await portal.organization('Grannen AB')
  const boss = await portal.person({ email: 'boss@export.example', preferredLanguage: 'sv' })
  await portal.join(boss.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(boss)
  for (const { organizationId } of [home, away])
    await invite(root, organizationId, `invited@${organizationId.slice(-6)}.example`)
})
afterAll(async () => {
  await portal?.close()
  rmSync(folder, { recursive: true })
})

const exportOf = async (client: Client, kind: 'export' | 'export-lines', query: Record<string, string> = {}) => {
  const response = await client.get(`/api/audit-events/${kind}?${new URLSearchParams(query)}`)
  expect(response.statusCode, response.body).toBe(200)
  return { body: response.body, headers: response.headers }
}
const tableOf = async (client: Client, query: Record<string, string> = {}) =>
  (await exportOf(client, 'export', query)).body.replace(/\r\n$/, '').split('\r\n')
const linesOf = async (client: Client, query: Record<string, string> = {}) =>
  (await exportOf(client, 'export-lines', query)).body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const exports = () =>
  portal.system.db.selectFrom('auditEvents').selectAll().where('name', '=', 'exportAuditEvents').orderBy('id').execute()

describe('the audit log as a file for spreadsheets', () => {
  test('has what the list shows, the oldest first, in the language of the reader', async () => {
    const { headers } = await exportOf(admin, 'export')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe(
      `attachment; filename="export.csv"; filename*=UTF-8''${encodeURIComponent('Händelselogg 2026-03-02.csv')}`,
    )
    const [header, ...rows] = await tableOf(root, { nameFilter: 'inviteUser' })
    expect(header).toBe('\uFEFFTime;Event;Performed by;Performed by (name);Concerns;Concerns (name);Changes')
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/^2026-03-02 09:00:00;Sent invitation;root@export\.example;.*invited@/)
  })

  test('is not calculated by a spreadsheet', async () => {
    await root.post('/api/services', { name: '=HYPERLINK("evil")', url: 'https://evil.example' })
    const table = await tableOf(root, { nameFilter: 'createService' })
    expect(table.join('\r\n')).toContain(`"'=HYPERLINK(""evil"")"`)
  })

  test('has a text for each event', () => {
    const missing = auditEventNames.filter(
      (name) => !Object.hasOwn(texts, `event${name.charAt(0).toUpperCase()}${name.slice(1)}`),
    )
    expect(missing).toEqual([])
  })
})

test('an admin exports the own organisation alone, and the header says that it cannot be checked', async () => {
  for (const query of [{}, { textFilter: 'invited' }, { organizationFilter: away.organizationId }]) {
    const table = (await tableOf(admin, query)).join('\n')
    const [header, ...events] = await linesOf(admin, query)
    expect(header).toEqual({ format: 'vestibule-audit-events-1', verifiable: false })
    // Neither the other organisation's events nor the super user who invited.
    for (const text of [table, JSON.stringify(events)]) {
      expect(text).not.toContain(away.organizationId.slice(-6))
      expect(text).not.toContain('root@export.example')
    }
  }
  const [, ...invitations] = await linesOf(admin, { nameFilter: 'inviteUser' })
  expect(invitations).toMatchObject([{ target: `invited@${home.organizationId.slice(-6)}.example`, actor: null }])
})

test('each export is an event that says what left the portal, and a refused one leaves none', async () => {
  const before = (await exports()).length
  await tableOf(admin, { nameFilter: 'inviteUser', organizationFilter: home.organizationId })
  await linesOf(root, {})
  const events = (await exports()).slice(before)
  expect(events).toMatchObject([{ actor: 'boss@export.example' }, { actor: 'root@export.example' }])
  expect(events[0]?.organizationIds).toEqual([home.organizationId])
  expect(events[0]?.changes).toEqual([
    { property: 'fileType', previousValue: null, newValue: 'CSV' },
    { property: 'nameFilter', previousValue: null, newValue: 'inviteUser' },
    { property: 'organization', previousValue: null, newValue: 'Åsgård AB' },
  ])
  const stranger = await portal.signedIn(await portal.person())
  expect((await stranger.get('/api/audit-events/export')).statusCode).toBe(403)
  expect((await root.get('/api/audit-events/export?page=2')).statusCode).toBe(422)
  expect(await exports()).toHaveLength(before + 2)
})

test('the event of an export does not tell an admin what another organisation is called', async () => {
  const organizationOf = async (client: Client, organizationFilter: string) => {
    for (const read of [tableOf, linesOf]) await read(client, { organizationFilter })
    const changes = (await exports())
      .slice(-2)
      .map((event) => event.changes as { property: string; newValue: string }[])
    return changes.map((each) => each.find(({ property }) => property === 'organization')?.newValue)
  }
  const { organizationId, name } = away
  expect(await organizationOf(admin, organizationId)).toEqual([organizationId, organizationId])
  expect(await organizationOf(root, organizationId)).toEqual([name, name])
})

describe.runIf(hasPython)('an inspector checks the file of a super user', () => {
  const check = (lines: string) => {
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, lines)
    const { status, stdout, stderr } = spawnSync('python3', [program, file], { encoding: 'utf8' })
    return { status, out: (stdout + stderr).trim() }
  }

  test('of everything: the whole chain', async () => {
    const { body } = await exportOf(root, 'export-lines')
    const rows = body.trimEnd().split('\n').length - 1
    expect(check(body)).toMatchObject({
      status: 0,
      out: expect.stringContaining(`intact: ${rows} rows, head ${rows}:`),
    })
    expect(check(body.replace('Åsgård', 'Solberga'))).toMatchObject({ status: 1 })
  })

  test('of a filter: each row by itself, which the header says', async () => {
    for (const query of [
      { nameFilter: 'inviteUser' },
      { textFilter: 'invited', organizationFilter: home.organizationId },
    ]) {
      const { body } = await exportOf(root, 'export-lines', query as Record<string, string>)
      const [header, ...rows] = body.trimEnd().split('\n')
      expect(JSON.parse(header ?? '')).toMatchObject({ complete: false })
      expect(rows).toHaveLength('nameFilter' in query ? 2 : 1)
      expect(check(body)).toMatchObject({ status: 0, out: expect.stringContaining('of a selection') })
    }
  })
})

test('a long log is read in parts that repeat and skip nothing, also of events of the same moment', async () => {
  await sql`
    insert into audit_events (id, name, target, changes, created_at)
    select gen_random_uuid(), 'unknown', 'long', '[]', timestamptz '2026-03-01 12:00:00.123456+00'
      + (n / 3000) * interval '1 microsecond'
    from generate_series(1, 7000) as n`.execute(portal.system.db)
  const table = await tableOf(root, { targetFilter: 'long', nameFilter: 'unknown' })
  expect(table).toHaveLength(7001)
})
