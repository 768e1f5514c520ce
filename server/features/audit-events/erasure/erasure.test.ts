import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { readAllRows } from '#test/all-rows.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, invitePath } from '#test/invitations.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createErasureQueue } from './erasure-queue.ts'

const program = join(import.meta.dirname, '../../../../tools/verify-audit.py')
const hasPython = spawnSync('python3', ['--version']).status === 0

let portal: TestApp
let owner: pg.Client
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  root = await portal.signedIn(await portal.person({ superUser: true, email: 'root@erasure.example' }))
})
afterAll(async () => {
  await owner?.end()
  await portal?.close()
})

const runQueue = (id: string) => createErasureQueue(portal.system).deliver(id)
const verify = () => verifyAuditChain(owner, { keys: portal.system.keys })
const whereStands = async (...texts: string[]) =>
  (await readAllRows(portal.ownerUrl)).filter(({ row }) =>
    texts.some((text) => row.toLowerCase().includes(text.toLowerCase())),
  )
const eventsAbout = async (id: string) =>
  (await root.get(`/api/audit-events?targetIdFilter=${id}&sort=createdAt&sortDirection=asc`)).json().items
const deletionOf = async (id: string) =>
  (await eventsAbout(id)).find(({ name }: { name: string }) => name === 'deleteUser')?.id

/** A person who has left traces wherever the portal keeps some: events as actor and target, mails, an access review. */
async function personWithTraces() {
  const here = await invitationsOf(portal).organizationWithAdmin()
  const { organizationId } = here
  const names = { firstName: 'Xantippa', lastName: 'Xenofon', phoneNumber: '+46701740606' }
  const person = await portal.person({ email: 'xantippa@erasure.example', ...names })
  const { accountId, email } = person
  await portal.join(accountId, organizationId, 'organizationAdmin')
  const renamed = await root.put('/api/users', { accountId, lastName: 'Xylander' })
  expect(renamed.statusCode, renamed.body).toBe(200)
  await portal.browser().post('/api/verify-credentials', { email, password: 'Wrong-password-1' })
  await portal.browser().post('/api/initiate-password-reset', { email })
  const own = await portal.signedIn(person)
  await own.put('/api/profile', { firstName: 'Xanthippe', currentPassword: testPassword })
  const service = await portal.service()
  await portal.offer(organizationId, service.serviceId)
  const { accountId: colleague } = await portal.person({ email: 'colleague@erasure.example' })
  await portal.join(colleague, organizationId)
  await own.post(`/api/users/${colleague}/organization/${organizationId}/service`, {
    services: [{ serviceId: service.serviceId, userRole: 'regular' }],
  })
  await own.post(`/api/organizations/${organizationId}/access-review`)
  await root.get(`/api/audit-events/export?textFilter=${encodeURIComponent(email.toUpperCase())}`)
  const elsewhere = await portal.organization()
  await invite(root, elsewhere.organizationId, email)
  await root.delete(invitePath(email, elsewhere.organizationId, 'invitation'))
  return { accountId, email, organizationId, colleague, admin: here.browser }
}

const known = ['xantippa', 'xanthippe', 'xenofon', 'xylander', '+4670*****06']

test('someone who was deleted is erased: no table knows them, what was done stays readable, and the chain is whole', async () => {
  const { accountId, email, colleague } = await personWithTraces()
  expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
  expect((await whereStands(...known)).map(({ table }) => table)).toContain('former_names')
  const before = await eventsAbout(accountId)
  const path = `/api/audit-events/${await deletionOf(accountId)}/erasure`
  expect((await root.post(path)).statusCode).toBe(204)
  await runQueue(accountId)

  expect(await whereStands(...known)).toEqual([])
  expect(await verify()).toMatchObject({ intact: true })
  const pseudonym = `erased:${accountId.slice(-8)}`
  const after = await eventsAbout(accountId)
  expect(after.map(({ name }: { name: string }) => name)).toEqual([
    ...before.map(({ name }: { name: string }) => name),
    'erasePerson',
  ])
  expect(new Set(after.map(({ target }: { target: string }) => target))).toEqual(new Set([pseudonym]))
  const [handedOut] = (await eventsAbout(colleague)).filter(
    ({ name }: { name: string }) => name === 'updateUserServices',
  )
  expect(handedOut).toMatchObject({ actor: pseudonym, target: 'colleague@erasure.example' })
  expect(handedOut.changes).not.toEqual([])
  expect((await root.get(`/api/audit-events?textFilter=${encodeURIComponent(email)}`)).json().totalCount).toBe(0)
  expect((await root.get(`/api/audit-events?textFilter=${pseudonym}`)).json().totalCount).toBeGreaterThan(3)
  const found = await owner.query('select count(*)::int as count from audit_erasures')

  // Again, by the job and by the call: nothing is left to do.
  await runQueue(accountId)
  expect((await root.post(path)).statusCode).toBe(204)
  expect((await eventsAbout(accountId)).length).toBe(after.length)
  expect((await owner.query('select count(*)::int as count from audit_erasures')).rows).toEqual(found.rows)
})

test.runIf(hasPython)(
  'an inspector verifies a log from which someone was erased, and sees a later change',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vestibule-erasure-'))
    const check = (content: string) => {
      writeFileSync(join(folder, 'x.jsonl'), content)
      return spawnSync('python3', [program, join(folder, 'x.jsonl')], { encoding: 'utf8' }).stdout
    }
    const { body } = await root.get('/api/audit-events/export-lines')
    expect(check(body)).toMatch(/people were erased from \d+ events[\s\S]*intact: \d+ rows/)
    expect(check(body.replace(/"actor":"erased:[0-9a-f]{8}"/, '"actor":"erased:00000000"'))).toContain(
      'after it was erased',
    )
    expect(check(body.replace(/("erasures":\[\{"signed":"[^.]+\.)/, '$1AAAA'))).toContain('BROKEN')
    rmSync(folder, { recursive: true })
  },
)

test('an invited address that was withdrawn can be erased as well', async () => {
  const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin()
  await invite(browser, organizationId, 'yorick@erasure.example')
  const { items } = (await root.get('/api/users?searchQuery=yorick')).json()
  const [{ accountId }] = items
  expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
  expect((await root.post(`/api/audit-events/${await deletionOf(accountId)}/erasure`)).statusCode).toBe(204)
  await runQueue(accountId)
  expect(await whereStands('yorick')).toEqual([])
  expect(await verify()).toMatchObject({ intact: true })
})

test('an address that someone has again is theirs: only the events of the deleted account lose it', async () => {
  const email = 'zacharias@erasure.example'
  const { accountId } = await portal.person({ email })
  await portal.signedIn({ email, accountId })
  expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
  const later = await portal.person({ email })
  await portal.signedIn(later)
  expect((await root.post(`/api/audit-events/${await deletionOf(accountId)}/erasure`)).statusCode).toBe(204)
  await runQueue(accountId)
  expect((await eventsAbout(accountId))[0].target).toMatch(/^erased:/)
  expect((await eventsAbout(later.accountId))[0]).toMatchObject({ actor: email, target: email })
})

test('the database refuses to erase someone who has an account', async () => {
  const { accountId } = await portal.person()
  await expect(runQueue(accountId)).rejects.toThrow('only who was deleted can be erased')
})

test('the serving role cannot change an event, and an erasure that the portal did not sign breaks the chain', async () => {
  const { accountId } = await portal.person({ email: 'walter@erasure.example' })
  await portal.signedIn({ email: 'walter@erasure.example', accountId })
  expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
  await expect(
    portal.system.pool.query(`update audit_events set actor = 'erased:00000000', salt = null`),
  ).rejects.toThrow('permission denied')
  await expect(owner.query(`update audit_events set actor = 'someone else', salt = null`)).rejects.toThrow(
    'append-only',
  )
  await expect(owner.query(`update audit_events set name = 'logout', salt = null`)).rejects.toThrow('append-only')
  await expect(owner.query('delete from audit_erasures')).rejects.toThrow('append-only')
  expect(await verify()).toMatchObject({ intact: true })
  await sealAuditEvents(portal.system.db)
  await owner.query('begin')
  try {
    await owner.query('select erase_from_audit_events($1, $2)', [accountId, 'erased:00000000'])
    // `verify` begins a transaction of its own, which here is the same one.
    expect(await verifyInside()).toMatchObject({ intact: false, reason: 'its content was changed' })
  } finally {
    await owner.query('rollback')
  }
})

const verifyInside = () => {
  const query = (text: string, values?: unknown[]) =>
    /^(begin|rollback)/.test(text) ? Promise.resolve({ rows: [] }) : owner.query(text, values)
  return verifyAuditChain({ query } as unknown as pg.Client, { keys: portal.system.keys })
}

test('only a super user who signed in recently may erase, and only the person of a deletion', async () => {
  const { admin, accountId } = await (async () => {
    const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin()
    const person = await portal.person({ email: 'vera@erasure.example' })
    await portal.join(person.accountId, organizationId)
    return { admin: browser, accountId: person.accountId }
  })()
  await root.delete(`/api/users/${accountId}`)
  const path = `/api/audit-events/${await deletionOf(accountId)}/erasure`
  expect((await admin.post(path)).statusCode).toBe(403)
  const { items } = (await root.get('/api/audit-events?nameFilter=loginSuccess')).json()
  expect((await root.post(`/api/audit-events/${items[0].id}/erasure`)).statusCode).toBe(404)
  portal.advance(10 * 60 + 1)
  const late = await root.post(path)
  expect([late.statusCode, late.json().message]).toEqual([403, 'freshProofRequired'])
  expect((await eventsAbout(accountId)).map(({ name }: { name: string }) => name)).not.toContain('erasePerson')
})
