import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let root: Client
let admin: Client
let adminPerson: Person
let home: { organizationId: string; name: string }
let journal: { serviceId: string }
let consultant: Person

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  services = servicesOf(portal)
  journal = await portal.service('Journal')
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

beforeEach(async () => {
  await today('2026-12-01')
  home = await portal.organization()
  await portal.offer(home.organizationId, journal.serviceId)
  adminPerson = await portal.person()
  await portal.join(adminPerson.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(adminPerson)
  consultant = await memberWithJournal()
})

const today = (day: string) => setAccessDay(portal, day)

async function memberWithJournal(userRole: 'regular' | 'organizationAdmin' = 'regular') {
  const person = await portal.person()
  await portal.join(person.accountId, home.organizationId, userRole)
  await portal.assign(person.accountId, home.organizationId, journal.serviceId)
  return person
}
const withJournal = (period: object = {}) => [{ serviceId: journal.serviceId, userRole: 'regular', ...period }]
const set = (client: Client, body: object, { accountId }: Person = consultant) =>
  client.post(`/api/users/${accountId}/organization/${home.organizationId}/service`, {
    services: withJournal(),
    ...body,
  })
const messageOf = ({ statusCode, body }: Awaited<ReturnType<Client['post']>>) => [
  statusCode,
  body ? JSON.parse(body).message : undefined,
]
const read = async ({ accountId }: Person) =>
  (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
const startOf = async (client: Client) => {
  const { organizations, services } = (await client.get('/api/start')).json()
  return [organizations.length, services.length]
}

describe('somebody whose membership ends with a day', () => {
  test('is in on that day and out on the next, in every session and with every token, while no job runs', async () => {
    const clientId = await services.register({ serviceId: journal.serviceId })
    const machine = await services.register({ serviceId: journal.serviceId, directoryAccess: true })
    const directory = async () => {
      const { access_token: token } = await services.tokenFor(machine, { scope: 'directory' })
      const path = `/api/v1/organizations/${home.organizationId}/users`
      const found = (await portal.browser().get(path, { authorization: `Bearer ${token}` })).json()
      return found.users.some((one: { id: string }) => one.id === consultant.accountId)
    }
    expect((await set(admin, { validUntil: '2026-12-31' })).statusCode).toBe(204)
    const { browser, tokens } = await services.signInTo(clientId, consultant)
    await today('2026-12-31')
    expect(await startOf(browser)).toEqual([1, 1])
    expect(await directory()).toBe(true)
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(200)
    await today('2027-01-01')
    expect(await startOf(browser)).toEqual([0, 0])
    expect(await directory()).toBe(false)
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(401)
    expect(await services.introspect(clientId, tokens.access_token)).toEqual({ active: false })
    expect(await services.renew(clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    const again = await browser.follow(await browser.get(services.requestFor(clientId), { accept: 'text/html' }))
    expect(again.url).not.toContain('code=')
  })

  test('is not let in before the first day', async () => {
    await set(admin, { validFrom: '2026-12-10' })
    const browser = await portal.signedIn(consultant)
    expect(await startOf(browser)).toEqual([0, 0])
    await today('2026-12-10')
    expect(await startOf(browser)).toEqual([1, 1])
  })

  test('keeps the membership when only a service ends', async () => {
    await set(admin, { services: withJournal({ validUntil: '2026-12-05' }) })
    const browser = await portal.signedIn(consultant)
    await today('2026-12-06')
    expect(await startOf(browser)).toEqual([1, 0])
  })

  test('stays in sight of the admin with both days, and the log tells them', async () => {
    await set(admin, { validFrom: '2026-12-02', validUntil: '2026-12-31' })
    await today('2027-02-01')
    const { organizations } = await read(consultant)
    expect(organizations).toMatchObject([{ validFrom: '2026-12-02', validUntil: '2026-12-31', roleUntil: null }])
    const { changes } = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('targetId', '=', consultant.accountId)
      .where('name', '=', 'updateUserServices')
      .executeTakeFirstOrThrow()
    expect(changes).toEqual(
      expect.arrayContaining([{ property: 'validUntil', previousValue: null, newValue: '2026-12-31' }]),
    )
  })

  test('has a period that does not end before it begins', async () => {
    const response = await set(admin, { validFrom: '2026-12-10', validUntil: '2026-12-09' })
    expect(response.json().issues).toEqual([{ path: 'validUntil', message: 'endsBeforeStart' }])
    await set(admin, { validFrom: '2026-12-10' })
    expect(messageOf(await set(admin, { validUntil: '2026-12-09' }))).toEqual([409, 'endsBeforeStart'])
  })
})

describe('an admin role that ends', () => {
  test('leaves a regular member', async () => {
    const boss = await memberWithJournal('organizationAdmin')
    await set(admin, { roleUntil: '2026-12-31' }, boss)
    const browser = await portal.signedIn(boss)
    const people = () => browser.get(`/api/organizations/${home.organizationId}/users`)
    expect((await people()).statusCode).toBe(200)
    await today('2027-01-01')
    expect((await people()).statusCode).toBe(403)
    expect(await startOf(browser)).toEqual([1, 1])
  })

  test('is refused to the only admin, whoever asks, and to the last whose role goes on', async () => {
    expect(messageOf(await set(root, { roleUntil: '2026-12-31', services: [] }, adminPerson))).toEqual([
      409,
      'lastAdminStays',
    ])
    expect(messageOf(await set(admin, { validUntil: '2026-12-31', services: [] }, adminPerson))).toEqual([
      409,
      'lastAdminStays',
    ])
    const { accountId, version, organizations } = await read(adminPerson)
    const list = organizations.map(({ organizationId, userRole }: { organizationId: string; userRole: string }) => ({
      ...{ organizationId, userRole, validUntil: '2026-12-31' },
    }))
    expect(messageOf(await root.put('/api/users', { accountId, version, organizations: list }))).toEqual([
      409,
      'lastAdminStays',
    ])
    // Somebody whose role ends, or has not begun, does not count.
    const boss = await memberWithJournal('organizationAdmin')
    await set(admin, { roleUntil: '2026-12-31' }, boss)
    expect(messageOf(await set(root, { roleUntil: '2026-12-31', services: [] }, adminPerson))).toEqual([
      409,
      'lastAdminStays',
    ])
    expect(messageOf(await set(admin, { userRole: 'regular', services: [] }, adminPerson))).toEqual([409, 'lastAdmin'])
  })

  test('cannot be made longer by its holder, who gives nobody a longer one and takes none away', async () => {
    const boss = await memberWithJournal('organizationAdmin')
    await set(admin, { roleUntil: '2026-12-31' }, boss)
    const browser = await portal.signedIn(boss)
    expect(messageOf(await set(browser, { roleUntil: null }, boss))).toEqual([403, 'ownAccount'])
    expect(messageOf(await set(browser, { roleUntil: '2027-12-31' }, boss))).toEqual([403, 'ownAccount'])
    expect(messageOf(await set(browser, { userRole: 'organizationAdmin' }))).toEqual([403, 'longerThanOwn'])
    expect((await set(browser, { userRole: 'organizationAdmin', roleUntil: '2026-12-31' })).statusCode).toBe(204)
    expect(messageOf(await set(browser, { userRole: 'regular', services: [] }, adminPerson))).toEqual([
      409,
      'lastAdminStays',
    ])
  })

  test('is not given by an invitation whose inviter has lost it since, and for no longer than the inviter has it', async () => {
    const boss = await memberWithJournal('organizationAdmin')
    await set(admin, { roleUntil: '2026-12-31' }, boss)
    const browser = await portal.signedIn(boss)
    const [early, late] = [await portal.person(), await portal.person()]
    const rows = [early, late].map(({ email }) => ({ email, userRole: 'organizationAdmin' }))
    await browser.post('/api/invites/bulk', { organizationId: home.organizationId, rows })
    const join = async (person: Person) => {
      const client = await portal.signedIn(person)
      const [{ invitationId }] = (await client.get('/api/invites/mine')).json()
      expect((await client.post(`/api/invites/${invitationId}/join`)).statusCode).toBe(204)
      return (await read(person)).organizations[0]
    }
    expect(await join(early)).toMatchObject({ userRole: 'organizationAdmin', roleUntil: '2026-12-31' })
    await today('2027-01-01')
    expect(await join(late)).toMatchObject({ userRole: 'regular', roleUntil: null })
  })
})

describe('a guest or consultant', () => {
  async function joined(options: { guest: boolean; validUntil?: string }) {
    const person = await portal.person()
    const { guest, ...days } = options
    const rows = [{ email: person.email, ...days }]
    await admin.post('/api/invites/bulk', { organizationId: home.organizationId, guest, rows })
    const client = await portal.signedIn(person)
    const [{ invitationId }] = (await client.get('/api/invites/mine')).json()
    await client.post(`/api/invites/${invitationId}/join`)
    return (await read(person)).organizations[0].validUntil
  }

  test('is a member for 180 days, or as the organisation or the invitation says; others have no end', async () => {
    expect(await joined({ guest: true })).toBe('2027-05-30')
    expect(await joined({ guest: true, validUntil: '2026-12-24' })).toBe('2026-12-24')
    expect(await joined({ guest: false })).toBe(null)
    const { organizationId, name } = home
    await root.put('/api/organizations', { organizationId, name, guestDays: 30 })
    expect(await joined({ guest: true })).toBe('2026-12-31')
    await root.put('/api/organizations', { organizationId, name, guestDays: null })
    expect(await joined({ guest: true })).toBe(null)
  })

  test('has an import refused whose last day is none', async () => {
    const { rows } = (
      await admin.post('/api/invites/bulk/dry-run', {
        organizationId: home.organizationId,
        rows: [{ email: 'a@x.example', validUntil: '31/12/2026' }],
      })
    ).json()
    expect(rows).toMatchObject([{ outcome: 'invalid', issues: [{ path: 'validUntil', message: 'invalidDate' }] }])
  })
})

describe('what ends soon', () => {
  const extend = (accountIds: string[], more: object = {}, client = admin) =>
    client.post(`/api/organizations/${home.organizationId}/users/extend`, { accountIds, ...more })

  test('is counted at home, listed with its day, and extended with one call', async () => {
    const [soon, later, over] = [consultant, await memberWithJournal(), await memberWithJournal()]
    await set(admin, { validUntil: '2026-12-15' }, soon)
    await set(admin, { validUntil: '2026-12-16' }, later)
    await set(admin, { services: withJournal({ validUntil: '2026-11-30' }) }, over)
    const listed = async (status: string) =>
      (await admin.get(`/api/organizations/${home.organizationId}/users?status=${status}`))
        .json()
        .items.map(({ email, endsOn }: { email: string; endsOn: string }) => [email, endsOn])
    const counted = async () =>
      (await admin.get(`/api/organizations/${home.organizationId}/home`)).json().todos.endingAccess
    expect(await counted()).toBe(1)
    expect(await listed('accessEnds')).toEqual([[soon.email, '2026-12-15']])
    expect(await listed('accessEnded')).toEqual([[over.email, '2026-11-30']])
    const ids = [soon, later, over].map(({ accountId }) => accountId)
    const outcomes = async (more: object) =>
      (await extend(ids, more)).json().rows.map(({ outcome }: { outcome: string }) => outcome)
    expect(await outcomes({ dryRun: true })).toEqual(['done', 'skipped', 'done'])
    expect(await outcomes({})).toEqual(['done', 'skipped', 'done'])
    expect(await counted()).toBe(0)
    expect((await read(soon)).organizations[0].validUntil).toBe('2027-05-30')
    expect((await read(over)).services[0].validUntil).toBe('2027-05-30')
    expect((await read(later)).organizations[0].validUntil).toBe('2026-12-16')
  })

  test('is extended by nobody for themselves, and by no admin for longer than they are one', async () => {
    const boss = await memberWithJournal('organizationAdmin')
    await set(admin, { roleUntil: '2026-12-10' }, boss)
    const browser = await portal.signedIn(boss)
    const reason = async (accountId: string) => (await extend([accountId], {}, browser)).json().rows[0].reason
    expect(await reason(boss.accountId)).toBe('ownAccount')
    const other = await memberWithJournal('organizationAdmin')
    await set(admin, { roleUntil: '2026-12-10' }, other)
    expect(await reason(other.accountId)).toBe('longerThanOwn')
  })
})
