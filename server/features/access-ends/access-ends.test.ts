import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { listenForLogouts, logoutsOf } from '#test/logouts.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createAccessEndsJob } from './access-ends.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let home: { organizationId: string; name: string }
let admin: Person
let consultant: Person

beforeAll(async () => {
  portal = await testApp()
  outbox = outboxOf(portal)
})
afterAll(() => portal?.close())
beforeEach(async () => {
  home = await portal.organization()
  admin = await portal.person()
  await portal.join(admin.accountId, home.organizationId, 'organizationAdmin')
  consultant = await portal.person({ firstName: 'Åsa', lastName: 'Öst' })
  await portal.join(consultant.accountId, home.organizationId)
})

const runJob = () => createAccessEndsJob(portal.system).run()
const onDay = async (day: string) => {
  await setAccessDay(portal, day)
  await runJob()
}
const endsOn = ({ accountId }: Person, day: string) =>
  portal.system.pool.query('update memberships set valid_until = $1 where account_id = $2', [day, accountId])
const mailsTo = async ({ email }: Person) => (await outbox.messagesTo(email)).reverse()
const countTo = async (person: Person) => (await mailsTo(person)).length

test('14 and 3 days before, the person and the admins are told once each, and again of a new end', async () => {
  await endsOn(consultant, '2026-12-31')
  await onDay('2026-12-16')
  expect(await countTo(consultant)).toBe(0)
  await onDay('2026-12-17')
  await runJob()
  const what = { endsOn: '2026-12-31', membership: true, roles: [], services: [] }
  expect(await mailsTo(consultant)).toMatchObject([
    { template: 'access-ends', values: { organizationName: home.name, ...what } },
  ])
  expect(await mailsTo(admin)).toMatchObject([
    {
      template: 'access-ends-of-others',
      values: { page: 'user-administration', people: [{ name: 'Åsa Öst', email: consultant.email, ...what }] },
    },
  ])
  await onDay('2026-12-27')
  expect(await countTo(consultant)).toBe(1)
  await onDay('2026-12-28')
  await onDay('2026-12-31')
  expect([await countTo(consultant), await countTo(admin)]).toEqual([2, 2])
  await onDay('2027-01-01')
  expect(await countTo(consultant)).toBe(2)
  await endsOn(consultant, '2027-01-20')
  await onDay('2027-01-19')
  expect([await countTo(consultant), await countTo(admin)]).toEqual([3, 3])
})

test('a role and a service that end on a day stand in one mail, and without another admin the operator gets it', async () => {
  const root = await portal.person({ superUser: true })
  const { serviceId } = await portal.service('Journal')
  await portal.offer(home.organizationId, serviceId)
  await portal.assign(admin.accountId, home.organizationId, serviceId)
  await portal.system.pool.query(`update memberships set role_until = '2026-12-31' where account_id = $1`, [
    admin.accountId,
  ])
  await portal.system.pool.query(`update service_assignments set valid_until = '2026-12-31' where account_id = $1`, [
    admin.accountId,
  ])
  // Not the admin of anything any more on the day itself before it: the role has not begun.
  await portal.system.pool.query(`update memberships set role_from = '2026-12-31' where account_id = $1`, [
    admin.accountId,
  ])
  await onDay('2026-12-20')
  expect(await mailsTo(admin)).toMatchObject([
    {
      template: 'access-ends',
      values: { membership: false, roles: [{ role: 'organizationAdmin', name: null }], services: ['Journal'] },
    },
  ])
  expect(await mailsTo(root)).toMatchObject([
    { template: 'access-ends-of-others', values: { page: 'users', people: [{ email: admin.email }] } },
  ])
})

test('of the only admin, and of those who all end, the operator is told too', async () => {
  const root = await portal.person({ superUser: true })
  const roleEndsOn = (person: Person, day: string) =>
    portal.system.pool.query('update memberships set role_until = $1 where account_id = $2', [day, person.accountId])
  await roleEndsOn(admin, '2027-03-31')
  await onDay('2027-03-20')
  expect(await mailsTo(root)).toMatchObject([{ values: { page: 'users', people: [{ email: admin.email }] } }])
  const second = await portal.person()
  await portal.join(second.accountId, home.organizationId, 'organizationAdmin')
  await roleEndsOn(second, '2027-03-31')
  await onDay('2027-03-30')
  const told = (await mailsTo(root)).at(-1)?.values.people as { email: string }[]
  expect(told.map(({ email }) => email).sort()).toEqual([admin.email, second.email].sort())
  expect(await mailsTo(second)).toMatchObject([
    { template: 'access-ends' },
    { template: 'access-ends-of-others', values: { people: [{ email: admin.email }] } },
  ])
})

test('of what would end after the membership, nobody is told', async () => {
  const { serviceId } = await portal.service('Journal')
  await portal.offer(home.organizationId, serviceId)
  await portal.assign(consultant.accountId, home.organizationId, serviceId)
  await portal.give(consultant.accountId, home.organizationId, 'reader')
  const { pool } = portal.system
  await endsOn(consultant, '2027-04-10')
  for (const table of ['all_grants', 'service_assignments'])
    await pool.query(`update ${table} set valid_until = '2027-04-20' where account_id = $1`, [consultant.accountId])
  await onDay('2027-04-10')
  expect(await mailsTo(consultant)).toMatchObject([
    { values: { endsOn: '2027-04-10', membership: true, roles: [], services: [] } },
  ])
  await onDay('2027-04-17')
  expect([await countTo(consultant), await countTo(admin)]).toEqual([1, 1])
})

test('of a role in the portal, the person and the super users are told 14 and 3 days before', async () => {
  const root = await portal.person({ superUser: true })
  const auditor = await portal.person({ portalRole: 'auditor', lastName: 'Ekvall' })
  const endsOnDay = (day: string) =>
    portal.system.pool.query('update all_grants set valid_until = $1 where account_id = $2', [day, auditor.accountId])
  await endsOnDay('2027-05-31')
  const count = async () => [await countTo(auditor), await countTo(root)]
  await onDay('2027-05-16')
  expect(await count()).toEqual([0, 0])
  await onDay('2027-05-17')
  await runJob()
  const roles = [{ role: 'portalAuditor', name: null }]
  const what = { endsOn: '2027-05-31', membership: false, roles, services: [] }
  expect(await mailsTo(auditor)).toMatchObject([{ template: 'access-ends', values: what }])
  expect(await mailsTo(root)).toMatchObject([
    { template: 'access-ends-of-others', values: { page: 'users', people: [{ email: auditor.email, ...what }] } },
  ])
  await onDay('2027-05-28')
  await onDay('2027-05-31')
  await onDay('2027-06-01')
  expect(await count()).toEqual([2, 2])
  await endsOnDay('2027-06-10')
  await onDay('2027-06-02')
  expect(await count()).toEqual([3, 3])
})

/** Somebody of the organisation who may do these things there. */
async function holderOf(name: string, permissions: readonly string[]) {
  const browser = await portal.signedIn(admin)
  const form = { name, permissions }
  const { roleId } = (await browser.post(`/api/organizations/${home.organizationId}/roles`, form)).json()
  const person = await portal.person()
  await portal.join(person.accountId, home.organizationId)
  const roles = { roles: [{ role: roleId }] }
  await browser.post(`/api/users/${person.accountId}/organization/${home.organizationId}/roles`, roles)
  return person
}

describe('of a role for a part of the organisation, or of its own', () => {
  const last = '2027-08-31'
  const owned = { role: 'serviceOwner', name: 'Journal' }
  let browser: Client
  let serviceId: string
  beforeEach(async () => {
    await setAccessDay(portal, '2027-08-01')
    browser = await portal.signedIn(admin)
    serviceId = (await portal.service('Journal')).serviceId
    await portal.offer(home.organizationId, serviceId)
  })
  const nameOwner = (validUntil: string | null = last) =>
    browser.post(`/api/services/${serviceId}/${home.organizationId}/owners`, { email: consultant.email, validUntil })

  test('the person and those who can extend it are told 14 and 3 days before, and nobody else', async () => {
    const naming = await holderOf('Tjänster', ['giveRoles', 'assignServices'])
    const personnel = await holderOf('Personal', ['editPeople', 'assignServices'])
    expect((await nameOwner()).statusCode).toBe(204)
    await onDay('2027-08-16')
    expect(await countTo(consultant)).toBe(0)
    await onDay('2027-08-17')
    await runJob()
    const what = { endsOn: last, membership: false, roles: [owned], services: [] }
    expect(await mailsTo(consultant)).toMatchObject([{ template: 'access-ends', values: what }])
    for (const one of [admin, naming])
      expect(await mailsTo(one)).toMatchObject([
        { template: 'access-ends-of-others', values: { people: [{ email: consultant.email, ...what }] } },
      ])
    await onDay('2027-08-28')
    await onDay(last)
    await onDay('2027-09-01')
    expect([await countTo(consultant), await countTo(admin), await countTo(personnel)]).toEqual([2, 2, 0])
  })

  test('all that ends on a day stands in one mail, and who extends a part of it is told of that part', async () => {
    const personnel = await holderOf('Personal', ['editPeople', 'assignServices'])
    const group = { organizationId: home.organizationId, name: 'Avdelning 3', services: [] }
    const { groupId } = (await browser.post('/api/groups', group)).json()
    await browser.post(`/api/groups/${groupId}/admins`, { email: consultant.email, validUntil: last })
    await nameOwner()
    await browser.post(`/api/users/${consultant.accountId}/organization/${home.organizationId}/roles`, {
      roles: [{ role: 'reader', validUntil: last }],
    })
    await endsOn(consultant, last)
    await onDay('2027-08-20')
    const roles = [{ role: 'groupAdmin', name: 'Avdelning 3' }, { role: 'reader', name: null }, owned]
    const what = { endsOn: last, membership: true, roles, services: [] }
    expect(await mailsTo(consultant)).toMatchObject([{ values: what }])
    const part = { ...what, roles: [] }
    expect(await mailsTo(personnel)).toMatchObject([{ values: { people: [{ email: consultant.email, ...part }] } }])
  })

  test('the list of those whose access ends soon has the person, until the role is given for longer', async () => {
    const shown = async () =>
      (await browser.get(`/api/organizations/${home.organizationId}/users?status=accessEnds`))
        .json()
        .items.map(({ accountId, endsOn }: { accountId: string; endsOn: string }) => [accountId, endsOn])
    await nameOwner()
    await setAccessDay(portal, '2027-08-20')
    expect(await shown()).toEqual([[consultant.accountId, last]])
    await nameOwner(null)
    expect(await shown()).toEqual([])
  })
})

test('after the last day the services are told, and the session at the portal goes on', async () => {
  const services = servicesOf(portal)
  const listener = await listenForLogouts()
  const logouts = logoutsOf(portal)
  const { serviceId } = await portal.service()
  await portal.offer(home.organizationId, serviceId)
  await portal.assign(consultant.accountId, home.organizationId, serviceId)
  const clientId = await services.register({ serviceId, backchannelLogoutUri: listener.url })
  await setAccessDay(portal, '2026-12-31')
  await endsOn(consultant, '2026-12-31')
  const { browser } = await services.signInTo(clientId, consultant)
  await runJob()
  expect(await logouts.queued()).toHaveLength(0)
  await onDay('2027-01-01')
  expect(await logouts.queued()).toHaveLength(1)
  expect((await browser.get('/api/me')).statusCode).toBe(200)
  await listener.close()
})

/** A service that the consultant is signed in to, and what it and the browser get from each of two nodes. */
async function onTwoNodes(give: (serviceId: string) => Promise<unknown>) {
  const services = servicesOf(portal)
  const { serviceId } = await portal.service()
  await portal.offer(home.organizationId, serviceId)
  await give(serviceId)
  const clientId = await services.register({ serviceId, directoryAccess: true })
  const { browser, tokens } = await services.signInTo(clientId, consultant)
  const { access_token: machine } = await services.tokenFor(clientId, { scope: 'directory' })
  const node = await portal.anotherNode()
  const there = node.browser()
  for (const [name, value] of Object.entries(browser.cookies())) there.setCookie(name, value)
  const seenAt = async (client: Client) => {
    const list = await client.get(`/api/v1/organizations/${home.organizationId}/users`, {
      authorization: `Bearer ${machine}`,
    })
    return {
      organizations: (await client.get(`/api/users/${consultant.accountId}/organizations`)).json().length,
      services: (await client.get(`/api/users/${consultant.accountId}/${home.organizationId}/services`)).json().length,
      userInfo: (await client.get('/oidc/me', { authorization: `Bearer ${tokens.access_token}` })).statusCode,
      people: list.json().users.length,
    }
  }
  const seen = () => Promise.all([browser, there].map(seenAt))
  return { seen, there, active: async () => (await services.introspect(clientId, tokens.access_token)).active, node }
}

describe('no node lets anybody in after the end, whatever it has answered before and without the job', () => {
  const all = { organizations: 1, services: 1, userInfo: 200, people: 1 }
  async function expectEnd({ seen, active }: Awaited<ReturnType<typeof onTwoNodes>>, end: () => unknown, left: object) {
    expect(await seen()).toEqual([all, all])
    await end()
    const since = Date.now()
    expect(await seen()).toEqual([left, left])
    expect(await active()).toBe(false)
    expect(Date.now() - since).toBeLessThan(10_000)
  }
  const assign = (serviceId: string) => portal.assign(consultant.accountId, home.organizationId, serviceId)
  const noService = { organizations: 1, services: 0, userInfo: 401, people: 0 }

  /** The service by a group alone. */
  async function byGroup(days: object = {}) {
    const browser = await portal.signedIn(admin)
    let groupId = ''
    const place = await onTwoNodes(async (serviceId) => {
      const form = { organizationId: home.organizationId, name: 'Konsulter', services: [{ serviceId }] }
      groupId = (await browser.post('/api/groups', form)).json().groupId
      await browser.post(`/api/groups/${groupId}/members`, { accountIds: [consultant.accountId], ...days })
    })
    return { ...place, browser, groupId }
  }

  test('of the membership', async () => {
    await setAccessDay(portal, '2026-12-31')
    const place = await onTwoNodes(assign)
    try {
      await endsOn(consultant, '2026-12-31')
      const nothing = { organizations: 0, services: undefined, userInfo: 401, people: 0 }
      await expectEnd(place, () => setAccessDay(portal, '2027-01-01'), nothing)
    } finally {
      await place.node.close()
    }
  })

  test('of the days in a group', async () => {
    await setAccessDay(portal, '2026-12-31')
    const place = await byGroup({ validUntil: '2026-12-31' })
    try {
      await expectEnd(place, () => setAccessDay(portal, '2027-01-01'), noService)
    } finally {
      await place.node.close()
    }
  })

  test('in a group, or of the group', async () => {
    await setAccessDay(portal, '2026-12-31')
    const deeds: ((group: string, by: Client) => Promise<unknown>)[] = [
      (group, by) => by.post(`${group}/members/remove`, { accountIds: [consultant.accountId] }),
      (group, by) => by.delete(group),
    ]
    for (const deed of deeds) {
      const place = await byGroup()
      try {
        await expectEnd(place, () => deed(`/api/groups/${place.groupId}`, place.browser), noService)
        await place.browser.delete(`/api/groups/${place.groupId}`)
      } finally {
        await place.node.close()
      }
    }
  })

  test('of a role for a group', async () => {
    await setAccessDay(portal, '2026-12-31')
    const { there, groupId, browser, node } = await byGroup()
    try {
      const group = `/api/groups/${groupId}`
      await browser.post(`${group}/admins`, { email: consultant.email, validUntil: '2026-12-31' })
      expect((await there.get(group)).statusCode).toBe(200)
      await setAccessDay(portal, '2027-01-01')
      expect((await there.get(group)).statusCode).toBe(403)
    } finally {
      await node.close()
    }
  })
})
