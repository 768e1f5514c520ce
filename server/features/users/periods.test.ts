import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
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
/** Accepts the invitation to the own address. */
async function join(person: Person) {
  const client = await portal.signedIn(person)
  const [{ invitationId }] = (await client.get('/api/invites/mine')).json()
  expect((await client.post(`/api/invites/${invitationId}/join`)).statusCode).toBe(204)
  const { organizations, services } = await read(person)
  return { ...organizations[0], services }
}
const invite = (client: Client, people: readonly Person[], userRole: string, more: object = {}) =>
  client.post('/api/invites/bulk', {
    organizationId: home.organizationId,
    rows: people.map(({ email }) => ({ email, userRole, services: ['Journal'] })),
    ...more,
  })
/** The id of an invitation, in place of that of a person. */
const invitedAs = async ({ email }: Person) => {
  const query = portal.system.db.selectFrom('invitations').select('invitationId').where('email', '=', email)
  return (await query.executeTakeFirstOrThrow()).invitationId
}
/** An admin until the last day of 2026. */
async function limitedAdmin() {
  const person = await memberWithJournal('organizationAdmin')
  expect((await set(admin, { roleUntil: '2026-12-31' }, person)).statusCode).toBe(204)
  return { person, browser: await portal.signedIn(person) }
}
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

  test('is refused to the only admin, also by a super user, and to the last whose role goes on', async () => {
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
    const { browser } = await limitedAdmin()
    const [early, late] = [await portal.person(), await portal.person()]
    await invite(browser, [early, late], 'organizationAdmin')
    expect(await join(early)).toMatchObject({ userRole: 'organizationAdmin', roleUntil: '2026-12-31' })
    await today('2027-01-01')
    expect(await join(late)).toMatchObject({ userRole: 'regular', roleUntil: null })
  })

  test('is promised by who chose it, not by who sent the invitation, sends it again or changes something else', async () => {
    const { browser } = await limitedAdmin()
    const roles = { userRole: 'organizationAdmin', services: withJournal({ userRole: 'serviceAdmin' }) }
    const promise = async (person: Person) =>
      expect((await set(browser, roles, { ...person, accountId: await invitedAs(person) })).statusCode).toBe(204)
    const people = [await portal.person(), await portal.person(), await portal.person(), await portal.person()] as const
    const [ofAnother, sentAgain, changed, late] = people
    await invite(admin, [ofAnother], 'regular')
    await invite(browser, [sentAgain, changed, late], 'organizationAdmin')
    for (const person of people) await promise(person)
    const { organizationId } = home
    for (const { email } of [sentAgain, late])
      expect((await admin.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(204)
    const other = await portal.service()
    await portal.offer(organizationId, other.serviceId)
    const accountIds = [await invitedAs(changed)]
    const again = await admin.post(`/api/organizations/${organizationId}/users/resend-invitations`, { accountIds })
    expect(again.json().rows).toMatchObject([{ outcome: 'done' }])
    const services = [...roles.services, { serviceId: other.serviceId, userRole: 'regular' }]
    const more = await set(admin, { ...roles, services }, { ...changed, accountId: await invitedAs(changed) })
    expect(more.statusCode).toBe(204)
    const journalOf = { serviceId: journal.serviceId, userRole: 'serviceAdmin', validUntil: '2026-12-31' }
    for (const person of [ofAnother, sentAgain, changed])
      expect(await join(person)).toMatchObject({
        ...{ userRole: 'organizationAdmin', roleUntil: '2026-12-31', validUntil: null },
        services: expect.arrayContaining([expect.objectContaining(journalOf)]),
      })
    await today('2027-01-01')
    expect(await join(late)).toMatchObject({ userRole: 'regular', services: [] })
  })

  test('makes nobody the admin of a service for longer, by any road', async () => {
    const { browser, person } = await limitedAdmin()
    const serviceAdmin = (period: object = {}) => ({ services: withJournal({ userRole: 'serviceAdmin', ...period }) })
    for (const who of [consultant, person])
      expect(messageOf(await set(browser, serviceAdmin(), who))).toEqual([403, 'longerThanOwn'])
    expect((await set(browser, serviceAdmin({ validUntil: '2026-12-31' }))).statusCode).toBe(204)
    expect(messageOf(await set(browser, serviceAdmin({ validUntil: '2027-01-01' })))).toEqual([403, 'longerThanOwn'])
    // A change of something else leaves what a standing admin gave.
    const appointed = await memberWithJournal()
    await set(admin, { ...serviceAdmin(), validUntil: '2026-12-24' }, appointed)
    expect((await set(browser, { ...serviceAdmin(), validFrom: '2026-12-02' }, appointed)).statusCode).toBe(204)
    expect(messageOf(await set(browser, { ...serviceAdmin(), validUntil: null }, appointed))).toEqual([
      403,
      'longerThanOwn',
    ])
    const colleague = await portal.person()
    await portal.join(colleague.accountId, home.organizationId)
    const path = `/api/services/${journal.serviceId}/${home.organizationId}/users`
    const assign = (client: Client) => client.post(path, { email: colleague.email, userRole: 'serviceAdmin' })
    expect(messageOf(await assign(browser))).toEqual([403, 'longerThanOwn'])
    expect((await assign(admin)).statusCode).toBe(204)
  })

  test('does not open the account of an admin whose role goes on', async () => {
    const { browser } = await limitedAdmin()
    const change = ({ accountId }: Person) => browser.put('/api/users', { accountId, phoneNumber: '+46701740605' })
    expect(messageOf(await change(adminPerson))).toEqual([403, 'longerThanOwn'])
    expect((await change(consultant)).statusCode).toBe(200)
    const longAgo = `/api/users/${adminPerson.accountId}/last-active/2020-01-01T00:00:00.000Z`
    expect(messageOf(await browser.post(longAgo))).toEqual([409, 'lastAdminStays'])
    expect((await root.post(longAgo)).statusCode).toBe(204)
  })
})

describe('a guest or consultant', () => {
  async function joined(options: { guest: boolean; validUntil?: string }) {
    const person = await portal.person()
    const { guest, ...days } = options
    const rows = [{ email: person.email, ...days }]
    await admin.post('/api/invites/bulk', { organizationId: home.organizationId, guest, rows })
    return (await join(person)).validUntil
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

  test('has no end as the first admin, whom nobody could extend', async () => {
    home = await portal.organization()
    await portal.offer(home.organizationId, journal.serviceId)
    const [first, second] = [await portal.person(), await portal.person()]
    await invite(root, [first, second], 'organizationAdmin', { guest: true })
    expect(await join(first)).toMatchObject({ userRole: 'organizationAdmin', validUntil: null })
    expect(await join(second)).toMatchObject({ userRole: 'organizationAdmin', validUntil: '2027-05-30' })
  })

  test('has an import refused whose last day is none', async () => {
    const { rows } = (
      await admin.post('/api/invites/bulk/dry-run', {
        organizationId: home.organizationId,
        rows: [{ email: 'a@x.example', validUntil: '01/02/2027' }],
      })
    ).json()
    expect(rows).toMatchObject([{ outcome: 'invalid', issues: [{ path: 'validUntil', message: 'unclearDay' }] }])
    expect(rows[0].issues).toHaveLength(1)
  })
})

describe('what ends soon', () => {
  const countWaiting = async () => {
    const { rows } = await portal.system.pool.query<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count ?? 0
  }
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

  test('is not given back by an extension while it is taken away', async () => {
    await set(admin, { services: withJournal({ validUntil: '2026-12-10' }) })
    const { accountId } = consultant
    let extending: ReturnType<typeof extend> | undefined
    await portal.system.db.transaction().execute(async (trx) => {
      await trx.selectFrom('users').select('accountId').where('accountId', '=', accountId).forUpdate().execute()
      await trx.deleteFrom('serviceAssignments').where('accountId', '=', accountId).execute()
      extending = extend([accountId])
      await vi.waitFor(async () => expect(await countWaiting()).toBeGreaterThan(0))
    })
    expect((await extending)?.statusCode).toBe(200)
    expect((await read(consultant)).services).toEqual([])
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
