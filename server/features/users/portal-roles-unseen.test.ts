import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPassiveUsersJob } from '#server/features/passive-users/passive-users.ts'
import { setAccessDay } from '#test/access-day.ts'
import { type Client, outcome } from '#test/client.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import { type Person, testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// What the organisation of somebody with a role in the portal sees and can do, and what such a role does not add to the roles
// at home (product-rules 5.15, decision 0088). The roads to the role: portal-roles.test.ts.

let portal: TestApp
let root: Client
let home: { organizationId: string; name: string }
let boss: Person
let admin: Client
let auditor: Person
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  root = await portal.signedIn(await portal.person({ superUser: true }))
  home = await portal.organization()
  boss = await portal.person()
  await portal.join(boss.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(boss)
  auditor = await member({ portalRole: 'auditor' })
})

async function member(options: Parameters<TestApp['person']>[0] = {}): Promise<Person> {
  const person = await portal.person(options)
  await portal.join(person.accountId, home.organizationId)
  return person
}

type Answer = Awaited<ReturnType<Client['get']>>
const change = (by: Client, { accountId }: Pick<Person, 'accountId'>, input: object) =>
  by.put('/api/users', { accountId, ...input })
const ours = (path: string) => `/api/organizations/${home.organizationId}/${path}`
const setColumns = ({ accountId }: Person, columns: { lastActive?: Date; maxPassiveDays?: number; passiveAt?: Date }) =>
  portal.system.db.updateTable('users').set(columns).where('accountId', '=', accountId).execute()
const daysAgo = (days: number) => new Date(portal.now().getTime() - days * 24 * 3_600_000)

type EventRow = { id: string; name: string; target: string; changes?: { property: string }[] }
/** The events that somebody reads, each with its changes. */
async function logOf(reader: Client): Promise<EventRow[]> {
  const { items } = (await reader.get('/api/audit-events')).json() as { items: EventRow[] }
  const whole: EventRow[] = []
  for (const one of items) whole.push((await reader.get(`/api/audit-events/${one.id}`)).json())
  return whole.map((one, at) => ({ ...one, name: items[at]?.name ?? one.name }))
}

describe('an organisation', () => {
  test('is not told when a member with a role in the portal was active, by the list of who becomes passive or the mail about it', async () => {
    const plain = await member()
    for (const person of [auditor, plain]) await setColumns(person, { lastActive: daysAgo(20), maxPassiveDays: 30 })
    const coming = (await admin.get(ours('passive-preview'))).json()
    expect(coming).toMatchObject({ totalCount: 1, items: [{ email: plain.email }] })
    for (const person of [auditor, plain]) await setColumns(person, { lastActive: daysAgo(40) })
    await createPassiveUsersJob(portal.system).run()
    const [mail] = await invitationsOf(portal).mailsTo(boss.email)
    const users = (mail?.values.users ?? []) as unknown as { email: string; lastActive?: string }[]
    const timeOf = (person: Person) => users.find(({ email }) => email === person.email)?.lastActive
    expect(users).toHaveLength(2)
    expect(timeOf(plain)).toEqual(daysAgo(40).toISOString())
    expect(timeOf(auditor)).toBeUndefined()
  })

  test('opens a passive account for its own services, without the role in the portal', async () => {
    const helpDesk = await member()
    await portal.give(helpDesk.accountId, home.organizationId, 'helpDesk')
    const helper = await portal.signedIn(helpDesk)
    const later = await member({ portalRole: 'auditor' })
    await change(root, later, { portalRoleFrom: '2026-12-05', portalRoleUntil: '2026-12-20' })
    for (const person of [auditor, later]) await setColumns(person, { passiveAt: portal.now() })
    expect(outcome(await helper.post(`/api/users/${auditor.accountId}/last-active/now`, {}))).toBe(204)
    const accountIds = [later.accountId]
    expect(outcome(await helper.post(ours('users/mark-active'), { accountIds }))).toBe(200)
    const hidden = { passive: false, portalRole: null, portalRoleUntil: null, lastActive: null, editable: false }
    for (const day of ['2026-12-01', '2026-12-10']) {
      await setAccessDay(portal, day)
      for (const person of [auditor, later]) {
        const own = await portal.signedIn(person)
        expect(outcome(await own.get('/api/users'))).toEqual([403, 'forbidden'])
        const url = `/api/users/${person.accountId}/organization/-/service/-`
        expect((await helper.get(url)).json()).toMatchObject(hidden)
        expect((await root.get(url)).json()).toMatchObject({ portalRole: 'auditor', portalRoleUntil: '2026-11-30' })
      }
    }
    for (const reader of [root, admin]) {
      const about = (await logOf(reader)).filter(({ target }) => target === auditor.email)
      const ends = about.some(({ changes }) => changes?.some(({ property }) => property === 'portalRoleUntil'))
      expect(ends).toBe(reader === root)
    }
    // A super user decides both.
    await setColumns(auditor, { passiveAt: portal.now() })
    expect(outcome(await change(root, auditor, { portalRoleUntil: null }))).toBe(200)
    expect(outcome(await root.post(`/api/users/${auditor.accountId}/last-active/now`, {}))).toBe(204)
    expect(outcome(await (await portal.signedIn(auditor)).get('/api/users'))).toBe(200)
  })

  test('reads nothing of a role in the portal or super user that was taken again, or whose account is gone', async () => {
    const plain = await member()
    const [first, second, third] = [await member(), await member(), await member()]
    await change(root, first, { portalRole: 'auditor' })
    await change(root, first, { portalRole: null })
    await change(root, second, { superUser: true })
    await change(root, second, { superUser: false })
    await change(root, third, { portalRole: 'reader' })
    expect(outcome(await root.delete(`/api/users/${third.accountId}`))).toBe(204)
    const email = newEmail()
    const names = { firstName: 'A', lastName: 'B', loginMethod: 'local', password: testPassword }
    const created = await root.post('/api/users', {
      ...{ email, ...names, confirmNewPassword: testPassword, portalRole: 'auditor', unprovenReason: 'Known' },
      organizations: [{ organizationId: home.organizationId, userRole: 'regular' }],
    })
    expect(created.statusCode, created.body).toBe(201)
    expect(outcome(await change(root, created.json(), { portalRole: null }))).toBe(200)
    await change(root, plain, { lastName: 'Nylund' })
    const seen = (await logOf(admin)).map(({ name, target }) => `${name} ${target}`)
    expect(seen).toContain(`updateUser ${plain.email}`)
    expect(seen).toContain(`createUser ${email}`)
    for (const person of [first, second, third, { email }]) expect(seen).not.toContain(`updateUser ${person.email}`)
    const kept = (await logOf(root)).filter(({ target }) => target === email)
    expect(kept.map(({ changes }) => changes?.map(({ property }) => property))).toEqual([
      ['portalRole'],
      expect.arrayContaining(['portalRole', 'unprovenReason']),
      expect.not.arrayContaining(['portalRole', 'superUser']),
    ])
  })

  test('does not see its own member export and read what only a role in the portal opens', async () => {
    const { serviceId } = await portal.service()
    await portal.offer(home.organizationId, serviceId)
    await portal.assign(auditor.accountId, home.organizationId, serviceId)
    expect(outcome(await admin.post(ours('access-review'), {}))).toBe(204)
    const reading = await portal.signedIn(auditor)
    const files = [
      `/api/users/export?organizationId=${home.organizationId}&role=portalAuditor`,
      ours('users/export'),
      ours('access-review/report'),
    ]
    const exportsIn = async (reader: Client) =>
      (await logOf(reader)).filter(({ name, target }) => name.startsWith('export') && target === home.name)
    for (const url of files) expect(outcome(await reading.get(url)), url).toBe(200)
    expect(await exportsIn(admin)).toEqual([])
    expect(await exportsIn(root)).toHaveLength(3)
    // Who may at home is seen as everybody is.
    await portal.give(auditor.accountId, home.organizationId, 'auditor')
    for (const url of files) expect(outcome(await reading.get(url)), url).toBe(200)
    expect(await exportsIn(admin)).toHaveLength(2)
  })
})

describe('a role in the portal', () => {
  test('does not let its holder act at home on people who may more', async () => {
    await portal.give(auditor.accountId, home.organizationId, 'personnelAdministrator')
    const other = await member()
    await portal.give(other.accountId, home.organizationId, 'auditor')
    const acting = await portal.signedIn(auditor)
    const url = `/api/users/${other.accountId}/organization/${home.organizationId}`
    expect(outcome(await acting.delete(url))).toEqual([403, 'moreThanOwn'])
    expect((await change(acting, other, { firstName: 'Other' })).statusCode).toBe(403)
    expect((await acting.post(`/api/users/${other.accountId}/recovery`, { reason: 'Lost' })).statusCode).toBe(403)
  })

  test('leaves its holder’s own organisation editable in the list of all users', async () => {
    const reader = await portal.person({ portalRole: 'reader' })
    await portal.join(reader.accountId, home.organizationId, 'organizationAdmin')
    const reading = await portal.signedIn(reader)
    const [mine, far] = [await member(), await portal.person()]
    const editable = async ({ email }: Person) =>
      (await reading.get(`/api/users?searchQuery=${email}`)).json().items[0].editable
    expect([await editable(mine), await editable(far), await editable(auditor)]).toEqual([true, false, false])
  })

  test('does not read why a super user vouched for somebody', async () => {
    const unproven = await portal.person({ emailProof: null })
    const reason = { unprovenReason: 'Sits beside me' }
    expect(outcome(await change(root, unproven, { superUser: true, ...reason }))).toBe(200)
    const url = `/api/audit-events/export-lines?targetIdFilter=${unproven.accountId}`
    for (const role of ['reader', 'auditor'] as const) {
      const reading = await portal.signedIn(await portal.person({ portalRole: role }))
      expect(JSON.stringify(await logOf(reading)), role).not.toContain('Sits beside me')
      const { body } = await reading.get(url)
      expect(body).toContain('"verifiable":false')
      expect(body).not.toContain('Sits beside me')
    }
    expect(JSON.stringify(await logOf(root))).toContain('Sits beside me')
    expect((await root.get(url)).body).toContain('Sits beside me')
  })

  test('has days in order, and none without it: the answer names the field', async () => {
    const issuesOf = (answer: Answer) => [answer.statusCode, answer.json().issues]
    const create = (more: object) =>
      root.post('/api/users', {
        ...{ email: newEmail(), firstName: 'A', lastName: 'B', loginMethod: 'local', password: testPassword },
        ...{ confirmNewPassword: testPassword, unprovenReason: 'Known', ...more },
      })
    const plain = await member()
    const idle = [422, [{ path: 'portalRole', message: 'required' }]]
    const reversed = [422, [{ path: 'portalRoleUntil', message: 'endsBeforeStart' }]]
    for (const days of [{ portalRoleFrom: '2026-12-02' }, { portalRoleUntil: '2026-12-02' }])
      for (const answer of [await create(days), await change(root, plain, days)]) expect(issuesOf(answer)).toEqual(idle)
    const days = { portalRole: 'auditor', portalRoleFrom: '2026-12-02', portalRoleUntil: '2026-12-01' }
    for (const answer of [await create(days), await change(root, plain, days)])
      expect(issuesOf(answer)).toEqual(reversed)
    await change(root, auditor, { portalRoleFrom: '2026-12-02' })
    expect(issuesOf(await change(root, auditor, { portalRoleUntil: '2026-12-01' }))).toEqual(reversed)
    expect(outcome(await change(root, auditor, { portalRole: null }))).toBe(200)
  })

  test('is mailed to who is created with it', async () => {
    const email = newEmail()
    const input = { email, firstName: 'A', lastName: 'B', loginMethod: 'local', password: testPassword }
    const more = { confirmNewPassword: testPassword, portalRole: 'reader', unprovenReason: 'Known' }
    expect((await root.post('/api/users', { ...input, ...more })).statusCode).toBe(201)
    expect(await invitationsOf(portal).mailsTo(email)).toMatchObject([
      { template: 'contact-changed', values: { changed: ['portalRole'], byAdmin: true } },
    ])
  })
})
