import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReviewPerson } from '#contract/access-reviews/review-answers.ts'
import { setAccessDay } from '#test/access-day.ts'
import { type Client, outcome } from '#test/client.ts'
import { groupsOf } from '#test/group-home.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let groups: ReturnType<typeof groupsOf>
let home: Awaited<ReturnType<ReturnType<typeof groupsOf>['newHome']>>
let owner: Person
let colleague: Person
let other: Person
let owning: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2031-01-01')
  home = await groups.newHome({ people: 3 })
  ;[owner, colleague, other] = home.people as [Person, Person, Person]
  expect(await name(owner)).toBe(204)
  owning = await portal.signedIn(owner)
})

const at = (rest: string, { serviceId = home.serviceId, organizationId = home.organizationId } = {}) =>
  `/api/services/${serviceId}/${organizationId}${rest}`
const name = async ({ email }: Pick<Person, 'email'>, days: object = {}, by = home.browser) =>
  outcome(await by.post(at('/owners'), { email, ...days }))
const dismiss = async ({ accountId }: Person, by = home.browser) => outcome(await by.delete(at(`/owners/${accountId}`)))
const handOut = async ({ email }: Pick<Person, 'email'>, more: object = {}, place: object = {}) =>
  outcome(await owning.post(at('/users', place), { email, ...more }))
const placeOf = ({ accountId }: Person) => `/api/users/${accountId}/organization/${home.organizationId}`
const set = async (person: Person, one: object, by = owning) =>
  outcome(await by.post(`${placeOf(person)}/service`, { services: [{ serviceId: home.serviceId, ...one }] }))
const roleOf = async ({ accountId }: Person) =>
  (
    await portal.system.pool.query(
      'select user_role as role, valid_until::text as until from service_assignments where account_id = $1 and service_id = $2',
      [accountId, home.serviceId],
    )
  ).rows[0]
const declare = async (key = 'doctor'): Promise<string> =>
  (await root.post('/api/service-roles', { serviceId: home.serviceId, key, nameSv: 'Läkare' })).json().roleId

describe('who is responsible for a service', () => {
  test('hands it out, appoints its admins and takes both back', async () => {
    expect(await handOut(colleague)).toBe(204)
    expect(await handOut(other, { userRole: 'serviceAdmin' })).toBe(204)
    expect(await set(colleague, { userRole: 'serviceAdmin' })).toBe(204)
    expect(await roleOf(colleague)).toMatchObject({ role: 'serviceAdmin' })
    expect(await set(colleague, { userRole: 'regular' })).toBe(204)
    for (const { accountId } of [colleague, other])
      expect(outcome(await owning.delete(at(`/users/${accountId}`)))).toBe(204)
    expect(await roleOf(other)).toBeUndefined()
  })

  test("hands out the service's own roles", async () => {
    const roleId = await declare()
    expect(await handOut(colleague)).toBe(204)
    const offered = (await owning.get(`/api/organizations/${home.organizationId}/service-roles`)).json()
    expect(offered).toMatchObject([{ roleId }])
    const roles = `${placeOf(colleague)}/service/${home.serviceId}/roles`
    expect(outcome(await owning.post(roles, { roleIds: [roleId] }))).toBe(204)
    expect((await owning.get(`${placeOf(colleague)}/service-roles`)).json()).toMatchObject([{ roleId }])
  })

  test('is asked for access to it, and decides', async () => {
    await portal.system.pool.query('update services set requestable = true where service_id = $1', [home.serviceId])
    const asking = await portal.signedIn(colleague)
    const place = { serviceId: home.serviceId, organizationId: home.organizationId }
    expect((await asking.post('/api/access-requests', place)).statusCode).toBeLessThan(300)
    expect(await outboxOf(portal).messagesTo(owner.email)).toHaveLength(1)
    const [request] = (await owning.get('/api/access-requests')).json().items
    expect(outcome(await owning.post(`/api/access-requests/${request.requestId}/grant`))).toBe(204)
    expect(await groups.servicesOf(colleague, home)).toEqual([home.serviceId])
  })

  test('decides about that service in a review without being asked, and about no other', async () => {
    const payroll = await portal.service('Payroll')
    await portal.offer(home.organizationId, payroll.serviceId)
    await portal.assign(other.accountId, home.organizationId, payroll.serviceId)
    expect(await handOut(colleague)).toBe(204)
    const review = `/api/organizations/${home.organizationId}/access-review`
    expect(outcome(await home.browser.post(review))).toBe(204)
    const { items, whole } = (await owning.get(review)).json()
    expect([whole, items]).toMatchObject([false, [{ accountId: colleague.accountId }]])
    expect((await owning.get('/api/start')).json().reviews).toMatchObject([{ undecided: 1 }])
    const rowIds = items[0].rows.map(({ rowId }: { rowId: string }) => rowId)
    const decision = { rowIds, from: null, decision: 'keep' }
    expect((await owning.post(`${review}/decisions`, decision)).json()).toEqual({ changed: 1 })
    expect(await dismiss(owner)).toBe(204)
    expect((await owning.get(review)).statusCode).toBe(404)
  })

  test('decides in a review neither about themselves nor what else somebody has by a group', async () => {
    const groupId = await home.create()
    expect(outcome(await home.browser.post(`/api/groups/${groupId}/people`, { email: colleague.email }))).toBe(204)
    expect(await handOut(other)).toBe(204)
    await portal.assign(owner.accountId, home.organizationId, home.serviceId)
    const review = `/api/organizations/${home.organizationId}/access-review`
    expect(outcome(await home.browser.post(review))).toBe(204)
    const rowsOf = async (browser: Client) =>
      new Map<string, string>(
        (await browser.get(review))
          .json()
          .items.map(({ accountId, rows }: ReviewPerson) => [accountId, rows[0]?.rowId]),
      )
    const all = await rowsOf(home.browser)
    const decide = async (people: Person[], change: object, browser = owning) => {
      const rowIds = people.map(({ accountId }) => all.get(accountId))
      const answer = await browser.post(`${review}/decisions`, { rowIds, from: null, ...change })
      return answer.statusCode === 200 ? answer.json().changed : outcome(answer)
    }
    expect([...(await rowsOf(owning)).keys()].sort()).toEqual([colleague.accountId, other.accountId].sort())
    expect((await owning.get(review)).json()).toMatchObject({ review: { total: 2 }, services: [{ total: 2 }] })
    expect((await owning.get('/api/start')).json().reviews).toMatchObject([{ undecided: 2 }])
    expect(await decide([owner], { decision: 'keep' })).toBe(0)
    expect(await decide([colleague, other], { decision: 'takeBack' })).toEqual([409, 'serviceComesByGroup'])
    expect(await decide([colleague], { decision: 'keep' })).toBe(1)
    expect(await decide([other], { decision: 'takeBack' })).toBe(1)
    expect(await decide([colleague], { from: 'keep', decision: 'takeBack' }, home.browser)).toBe(1)
    expect(await decide([owner], { decision: 'takeBack' }, home.browser)).toBe(1)
  })

  test('sees whom the admin of the service sees, and nobody else', async () => {
    expect(await handOut(colleague)).toBe(204)
    const list = (await owning.get(at('/users'))).json()
    expect(list.items.map(({ email }: Person) => email)).toEqual([colleague.email])
    const administered = (await owning.get(`/api/users/${owner.accountId}/admin-services`)).json()
    expect(administered).toMatchObject([{ serviceId: home.serviceId, organizationId: home.organizationId }])
    expect((await owning.get(`/api/organizations/${home.organizationId}/users`)).statusCode).toBe(403)
    for (const path of [`${placeOf(other)}/service/-`, `${placeOf(other)}/service-roles`])
      expect(outcome(await owning.get(path)), path).toEqual([404, 'notFound'])
  })
})

describe('who is responsible for a service becomes no admin of more', () => {
  test('by another service, the same one of another organisation, or none', async () => {
    const second = await portal.service()
    await portal.offer(home.organizationId, second.serviceId)
    const foreign = await groups.newHome()
    await portal.offer(foreign.organizationId, home.serviceId)
    for (const place of [
      { serviceId: second.serviceId },
      { organizationId: foreign.organizationId },
      { serviceId: crypto.randomUUID() },
    ]) {
      expect(await handOut(colleague, {}, place)).toEqual([404, 'notFound'])
      expect(outcome(await owning.get(at('/users', place)))).toEqual([404, 'notFound'])
    }
    expect(await set(colleague, { serviceId: second.serviceId, userRole: 'regular' })).toEqual([404, 'notFound'])
  })

  test('by appointing themselves, which would outlive the role', async () => {
    expect(await handOut(owner, { userRole: 'serviceAdmin' })).toEqual([403, 'ownAccount'])
    await portal.assign(owner.accountId, home.organizationId, home.serviceId)
    expect(await set(owner, { userRole: 'serviceAdmin' })).toEqual([403, 'ownAccount'])
    expect(await name(owner, { validUntil: null }, owning)).toEqual([403, 'forbidden'])
    expect(await name(colleague, {}, owning)).toEqual([403, 'forbidden'])
  })

  test('by giving themselves the service, its roles, or more days of either', async () => {
    const { accountId, email } = owner
    const { organizationId, serviceId } = home
    const roleId = await declare()
    await portal.system.pool.query('update services set requestable = true where service_id = $1', [serviceId])
    expect((await owning.post('/api/access-requests', { serviceId, organizationId })).statusCode).toBeLessThan(300)
    const [request] = (await owning.get('/api/access-requests')).json().items
    const own = [403, 'ownAccount']
    expect(outcome(await owning.post(`/api/access-requests/${request.requestId}/grant`))).toEqual(own)
    expect(await handOut({ email })).toEqual(own)
    expect(await set(owner, { userRole: 'regular' })).toEqual(own)
    const inBulk = `/api/organizations/${organizationId}/users`
    const bulk = await owning.post(`${inBulk}/assign-service`, { accountIds: [accountId], serviceId })
    expect(outcome(bulk)).toEqual([403, 'forbidden'])
    expect(await roleOf(owner)).toBeUndefined()

    await portal.assign(accountId, organizationId, serviceId)
    await portal.system.pool.query("update service_assignments set valid_until = '2031-01-31' where account_id = $1", [
      accountId,
    ])
    expect(await set(owner, { userRole: 'regular', validUntil: null })).toEqual(own)
    const roles = `${placeOf(owner)}/service/${serviceId}/roles`
    expect(outcome(await owning.post(roles, { roleIds: [roleId] }))).toEqual(own)
    expect(outcome(await home.browser.post(roles, { roleIds: [roleId] }))).toBe(204)
    const periods = [{ roleId, validUntil: '2031-06-30' }]
    expect(outcome(await owning.post(roles, { roleIds: [roleId], periods }))).toEqual(own)
    expect(outcome(await owning.post(roles, { roleIds: [] }))).toBe(204)
    expect(await roleOf(owner)).toEqual({ role: 'regular', until: '2031-01-31' })
    // Who hands out all services of the organisation does so by that.
    await portal.give(accountId, organizationId, 'personnelAdministrator')
    expect(await set(owner, { userRole: 'regular', validUntil: null })).toBe(204)
  })

  test('by an admin whom they appoint for longer than they are there', async () => {
    expect(await name(owner, { validUntil: '2031-01-31' })).toBe(204)
    const admin = { userRole: 'serviceAdmin' }
    expect(await handOut(colleague, admin)).toEqual([403, 'longerThanOwn'])
    expect(await handOut(colleague)).toBe(204)
    for (const validUntil of [null, '2031-02-01'])
      expect(await set(colleague, { ...admin, validUntil })).toEqual([403, 'longerThanOwn'])
    expect(await set(colleague, { ...admin, validUntil: '2031-01-31' })).toBe(204)
    await setAccessDay(portal, '2031-02-01')
    expect(await handOut(other)).toEqual([403, 'forbidden'])
  })

  test('by the account of somebody with more rights, or by a role of the organisation', async () => {
    const { accountId } = colleague
    await portal.system.pool.query("update memberships set user_role = 'organizationAdmin' where account_id = $1", [
      accountId,
    ])
    expect(await handOut(colleague)).toBe(204)
    const refused = [
      owning.put('/api/users', { accountId, phoneNumber: '+46701740606' }),
      owning.post('/api/initiate-password-reset', { email: colleague.email, tokenLifeTimeInHours: 24 }),
      owning.post(`${placeOf(other)}/roles`, { roles: [{ role: 'reader' }] }),
      owning.post(`${placeOf(colleague)}/service`, {
        userRole: 'regular',
        services: [{ serviceId: home.serviceId, userRole: 'regular' }],
      }),
      owning.delete(placeOf(colleague)),
      owning.post(`/api/users/${accountId}/last-active/now`),
    ]
    const statuses = (await Promise.all(refused)).map(({ statusCode }) => statusCode)
    // The public call says nothing; nobody else may.
    expect(statuses).toEqual([403, 204, 403, 403, 403, 403])
  })

  test('by a session from before the role was taken', async () => {
    expect(await dismiss(owner)).toBe(204)
    expect(await handOut(colleague)).toEqual([403, 'forbidden'])
    expect((await owning.get(at('/users'))).statusCode).toBe(403)
  })

  test('by a service that the organisation lost and got again', async () => {
    const url = '/api/organizations'
    const services = (ids: string[]) => ids.map((serviceId) => ({ serviceId }))
    const change = (ids: string[]) =>
      root.put(`${url}?force=true`, { organizationId: home.organizationId, services: services(ids) })
    expect((await change([])).statusCode).toBe(200)
    expect(await groups.changesOf('updateOrganization', home)).toContain(owner.email)
    expect((await change([home.serviceId])).statusCode).toBe(200)
    expect(await handOut(colleague)).toEqual([403, 'forbidden'])
  })

  test('by a role that moves to another organisation', async () => {
    const foreign = await groups.newHome()
    await portal.join(owner.accountId, foreign.organizationId)
    await expect(
      portal.system.pool.query('update all_grants set organization_id = $1 where account_id = $2', [
        ...[foreign.organizationId, owner.accountId],
      ]),
    ).rejects.toThrow('scope_of_service')
  })
})

test('who names somebody responsible for a service appoints its admins, for as long, and names others', async () => {
  const { organizationId } = home
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  await portal.give(person.accountId, organizationId, 'personnelAdministrator')
  const personnel = await portal.signedIn(person)
  expect(await name(colleague, {}, personnel)).toEqual([403, 'forbidden'])
  expect(
    outcome(await personnel.put('/api/users', { accountId: owner.accountId, phoneNumber: '+46701740606' })),
  ).toEqual([403, 'forbidden'])
  const naming = await portal.person()
  await portal.join(naming.accountId, organizationId)
  const roleId = (
    await home.browser.post(`/api/organizations/${organizationId}/roles`, {
      name: 'Tjänster',
      permissions: ['giveRoles', 'assignServices'],
    })
  ).json().roleId
  const given = { roles: [{ role: roleId, validUntil: '2031-01-31' }] }
  expect(outcome(await home.browser.post(`${placeOf(naming)}/roles`, given))).toBe(204)
  const browser = await portal.signedIn(naming)
  expect(await name(naming, { validUntil: '2031-01-31' }, browser)).toEqual([403, 'ownAccount'])
  expect(await name(colleague, {}, browser)).toEqual([403, 'longerThanOwn'])
  expect(await name(colleague, { validUntil: '2031-01-31' }, browser)).toBe(204)
  const list = (await browser.get(at('/owners'))).json()
  expect(list.map(({ email }: Person) => email)).toEqual([owner.email, colleague.email].sort())
  expect(await groups.changesOf('updateUserRoles', home)).toContain('serviceOwner [')
})
