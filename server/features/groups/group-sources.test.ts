import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { groupsOf } from '#test/group-home.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let groups: ReturnType<typeof groupsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  groups = groupsOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

test('a form from before somebody left a group does not give them its service by hand, for any admin', async () => {
  const home = await groups.newHome()
  const groupId = await home.create()
  await home.put(groupId)
  const { accountId } = home.person
  const services = [{ serviceId: home.serviceId, userRole: 'regular' }]
  const forms = await Promise.all(
    [root, home.browser].map(async (browser) => ({
      browser,
      version: (await browser.get(`/api/users/${accountId}/organization/${home.organizationId}/service/-`)).json()
        .version,
    })),
  )
  await home.take(groupId)
  for (const { browser, version } of forms) {
    const at = `/api/users/${accountId}/organization/${home.organizationId}/service`
    const answer = await browser.post(at, { version, services })
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'changedByOthers'])
  }
  expect(await groups.servicesOf(home.person, home)).toEqual([])
})

test('a service that a group gives, too, lasts as long as the longest of the two', async () => {
  const home = await groups.newHome()
  await portal.assign(home.person.accountId, home.organizationId, home.serviceId)
  const { pool } = portal.system
  await pool.query("update service_assignments set valid_until = '2031-01-31' where account_id = $1", [
    home.person.accountId,
  ])
  const lastDay = async () =>
    (
      await pool.query('select valid_until::text as day from current_assignments where account_id = $1', [
        home.person.accountId,
      ])
    ).rows[0].day
  const groupId = await home.create()
  expect(await lastDay()).toBe('2031-01-31')
  await home.put(groupId, home.people, { validUntil: '2031-03-31' })
  expect(await lastDay()).toBe('2031-03-31')
  await home.put(groupId, home.people, { validUntil: null })
  expect(await lastDay()).toBe(null)
})

test('a service ends on its last day, also where a group gives it again after a while', async () => {
  const home = await groups.newHome()
  const [now, later] = [await home.create(), await home.create()]
  await home.put(now, home.people, { validUntil: '2031-01-31' })
  const ends = async () =>
    (
      await portal.system.pool.query(
        'select valid_until::text as day from assignment_ends where account_id = $1 order by 1',
        [home.person.accountId],
      )
    ).rows.map(({ day }) => day)
  await home.put(later, home.people, { validFrom: '2031-02-01', validUntil: '2031-12-31' })
  expect(await ends()).toEqual(['2031-12-31'])
  await home.put(later, home.people, { validFrom: '2031-02-02' })
  expect(await ends()).toEqual(['2031-01-31', '2031-12-31'])
})

test('who asks for a service that a group gives later still waits for an answer, and may be given it at once', async () => {
  const home = await groups.newHome()
  const groupId = await home.create()
  const { accountId } = home.person
  await portal.system.pool.query(
    'insert into access_requests (request_id, account_id, organization_id, service_id, created_at) values (gen_random_uuid(), $1, $2, $3, now())',
    [accountId, home.organizationId, home.serviceId],
  )
  const open = async () =>
    (await portal.system.pool.query('select from access_requests where account_id = $1', [accountId])).rows.length
  await home.put(groupId, home.people, { validFrom: '2031-01-01' })
  expect(await open()).toBe(1)
  const at = `/api/services/${home.serviceId}/${home.organizationId}/users`
  expect((await home.browser.post(at, { email: home.person.email })).statusCode).toBe(204)
  expect([await open(), await groups.servicesOf(home.person, home)]).toEqual([0, [home.serviceId]])
})

test('a role that a group gives, too, does not go by hand, and no event says that it did', async () => {
  const home = await groups.newHome()
  const { serviceId, organizationId } = home
  const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Läkare' })).json()
  await portal.assign(home.person.accountId, organizationId, serviceId)
  const at = `/api/users/${home.person.accountId}/organization/${organizationId}/service/${serviceId}/roles`
  expect((await home.browser.post(at, { roleIds: [roleId] })).statusCode).toBe(204)
  await home.put(await home.create({ services: [{ serviceId, roleIds: [roleId] }] }))
  const answer = await home.browser.post(at, { roleIds: [] })
  expect([answer.statusCode, answer.json().message]).toEqual([409, 'serviceComesByGroup'])
})

test('events say that a group still gives a service that was taken back, and from whom a changed group takes what it gave', async () => {
  const home = await groups.newHome()
  await portal.assign(home.person.accountId, home.organizationId, home.serviceId)
  const groupId = await home.create()
  await home.put(groupId)
  const at = `/api/services/${home.serviceId}/${home.organizationId}/users/${home.person.accountId}`
  expect((await home.browser.delete(at)).statusCode).toBe(204)
  expect(await groups.changesOf('updateUserServices', home)).toContain(`${home.service} [group]`)
  expect((await home.browser.put('/api/groups', { groupId, services: [] })).statusCode).toBe(200)
  expect(await groups.changesOf('updateGroup', home)).toContain(home.person.email)
})

test('a free seat goes to nobody whose days are over, and to them when they get longer', async () => {
  const home = await groups.newHome({ people: 3, seats: 1 })
  const [first, ended, second] = home.people as [Person, Person, Person]
  const groupId = await home.create()
  await home.put(groupId, [first])
  await home.put(groupId, [ended], { validUntil: '2031-01-31' })
  await home.put(groupId, [second])
  await setAccessDay(portal, '2031-02-01')
  await home.take(groupId, [first])
  expect(await groups.servicesOf(second, home)).toEqual([home.serviceId])
  await home.take(groupId, [second])
  expect(await groups.servicesOf(ended, home)).toEqual([])
  await home.put(groupId, [ended], { validUntil: '2031-12-31' })
  expect(await groups.servicesOf(ended, home)).toEqual([home.serviceId])
})

test('extending somebody extends their days in groups, and says where a service of the group ends instead', async () => {
  const home = await groups.newHome({ people: 3 })
  const { serviceId, organizationId } = home
  const [short, byService, later] = home.people as [Person, Person, Person]
  const limited = await home.create({ services: [{ serviceId, validUntil: '2031-01-31' }] })
  const open = await home.create()
  await home.put(open, [short], { validUntil: '2031-01-31' })
  await home.put(limited, [byService])
  await home.put(open, [later], { validUntil: '2031-12-31' })
  await setAccessDay(portal, '2031-02-01')
  const at = `/api/organizations/${organizationId}/users/extend`
  const accountIds = [short, byService, later].map(({ accountId }) => accountId)
  const extend = async (dryRun: boolean) =>
    (await home.browser.post(at, { accountIds, dryRun, validUntil: '2031-06-30' }))
      .json()
      .rows.map(({ outcome, reason }: { outcome: string; reason: string | null }) => reason ?? outcome)
  for (const dryRun of [true, false])
    expect(await extend(dryRun)).toEqual(['done', 'bulkEndsWithGroup', 'bulkEndsLater'])
  expect(await groups.servicesOf(short, home)).toEqual([serviceId])
  expect(await groups.changesOf('updateGroupMembers', home)).toContain('2031-06-30')
  expect(await extend(false)).toEqual(['bulkEndsLater', 'bulkEndsWithGroup', 'bulkEndsLater'])
})
