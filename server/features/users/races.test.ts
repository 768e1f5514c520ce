import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

/** How often each answer came. */
function tally(responses: { statusCode: number; body: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { statusCode, body } of responses) {
    const answer = statusCode < 400 ? String(statusCode) : `${statusCode} ${JSON.parse(body).message}`
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}
const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const newUser = (email: string, more = {}) => ({
  email,
  firstName: 'New',
  lastName: 'Person',
  loginMethod: 'local',
  password: testPassword,
  confirmNewPassword: testPassword,
  ...more,
})

test('of twenty people who are given the last seat concurrently, one gets it', async () => {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 1)
  const people = await Promise.all(times(20).map(() => portal.person()))
  for (const { accountId } of people) await portal.join(accountId, organizationId)
  const responses = await Promise.all(
    people.map(({ accountId }) =>
      root.post(`/api/users/${accountId}/organization/${organizationId}/service`, {
        services: [{ serviceId, userRole: 'regular' }],
      }),
    ),
  )
  expect(tally(responses)).toEqual({ '204': 1, '409 noSeatsLeft': 19 })
  const { items } = (await root.get(`/api/services/${serviceId}/${organizationId}/users`)).json()
  expect(items).toHaveLength(1)
  const { services } = (await root.get(`/api/organizations/${organizationId}`)).json()
  expect(services).toMatchObject([{ seatsUsed: 1, maxNumberOfUsers: 1 }])
})

test('of two super users who demote each other concurrently, one stays', async () => {
  const apart = await testApp({ LIMIT_API: '1000000/60' })
  try {
    const [first, second] = [await apart.person({ superUser: true }), await apart.person({ superUser: true })]
    const clients = [await apart.signedIn(first), await apart.signedIn(second)] as const
    const responses = await Promise.all([
      clients[0].put('/api/users', { accountId: second.accountId, superUser: false }),
      clients[1].put('/api/users', { accountId: first.accountId, superUser: false }),
    ])
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const left = await apart.system.db.selectFrom('users').select('email').where('superUser', '=', true).execute()
    expect(left).toHaveLength(1)
    const events = await apart.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('name', '=', 'updateUser')
      .execute()
    expect(events).toHaveLength(1)
  } finally {
    await apart.close()
  }
})

test('of ten people with the same address added concurrently, one is created', async () => {
  const responses = await Promise.all(times(10).map(() => root.post('/api/users', newUser('once@races.example'))))
  expect(tally(responses)).toEqual({ '201': 1, '409 emailTaken': 9 })
})

test('ten people with the same personal number are added concurrently: none of them has proven it', async () => {
  const responses = await Promise.all(
    times(10).map((index) => root.post('/api/users', newUser(`ssn${index}@races.example`, { ssn: '199908072391' }))),
  )
  expect(tally(responses)).toEqual({ '201': 10 })
})

test('of two admins who change the same version concurrently, one gets an error and changes nothing', async () => {
  const { accountId } = await portal.person()
  const { version } = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
  const responses = await Promise.all(
    ['One', 'Two'].map((firstName) => root.put('/api/users', { accountId, firstName, version })),
  )
  expect(tally(responses)).toEqual({ '200': 1, '409 changedByOthers': 1 })
  const winner = responses.find(({ statusCode }) => statusCode === 200)?.json()
  const { firstName } = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
  expect(firstName).toBe(winner.firstName)
})

test('people who join an organisation and are renamed concurrently are all counted and found', async () => {
  const { organizationId } = await portal.organization('Racing')
  const people = await Promise.all(times(12).map(() => portal.person()))
  const membership = [{ organizationId, userRole: 'regular' }]
  const responses = await Promise.all([
    ...people.map(({ accountId }) => root.put('/api/users', { accountId, organizations: membership })),
    ...people.map(({ accountId }) => root.put('/api/users', { accountId, firstName: 'Simultaneously' })),
    root.put('/api/organizations', { organizationId, name: 'Renamed meanwhile', loginMethod: 'local' }),
  ])
  expect(tally(responses)).toEqual({ '200': 25 })
  const found = (await root.get('/api/users?searchQuery=renamed%20simultaneously')).json()
  expect(found.totalCount).toBe(12)
  const list = (await root.get(`/api/organizations/${organizationId}/users`)).json()
  expect(list).toMatchObject({ totalCount: 12 })
  expect(list.items).toHaveLength(10)
})
