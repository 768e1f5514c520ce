import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { groupsOf } from '#test/group-home.ts'
import { newEmail } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let groups: ReturnType<typeof groupsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())

/** What the log says was given because it got free, to whom, with the roles. */
const given = async ({ organizationId }: { organizationId: string }): Promise<(string | null)[]> => {
  const { rows } = await portal.system.pool.query(
    `select jsonb_path_query_first(changes, '$[*] ? (@.property == "peopleAdded").newValue') as people from audit_events
     where name = 'giveFreeSeats' and $1 = any (organization_ids) order by created_at, people`,
    [organizationId],
  )
  return rows.map(({ people }) => people)
}

test('an event says who got the seat that somebody has left, by whatever road', async () => {
  const home = await groups.newHome({ people: 3, seats: 1 })
  const [first, second, third] = home.people as [Person, Person, Person]
  const groupId = await home.create()
  for (const person of home.people) await home.put(groupId, [person])
  expect(await given(home)).toEqual([])
  await home.take(groupId, [first])
  expect(await given(home)).toEqual([second.email])
  expect(await groups.changesOf('giveFreeSeats', home)).toContain(home.name)
  expect((await root.delete(`/api/users/${second.accountId}`)).statusCode).toBe(204)
  expect(await given(home)).toEqual([second.email, third.email])
  expect(await groups.servicesOf(third, home)).toEqual([home.serviceId])
})

test('so is the seat of who loses the service, and of who leaves the organisation', async () => {
  const home = await groups.newHome({ people: 3, seats: 1 })
  const [first, second, third] = home.people as [Person, Person, Person]
  const { organizationId, serviceId } = home
  await portal.assign(first.accountId, organizationId, serviceId)
  const groupId = await home.create()
  for (const person of [second, third]) await home.put(groupId, [person])
  const revoke = `/api/services/${serviceId}/${organizationId}/users/${first.accountId}`
  expect((await home.browser.delete(revoke)).statusCode).toBe(204)
  expect(await given(home)).toEqual([second.email])
  expect((await root.delete(`/api/users/${second.accountId}/organization/${organizationId}`)).statusCode).toBe(204)
  expect(await given(home)).toEqual([second.email, third.email])
})

test('no test leaves a seat free beside somebody who waits for it', async () => {
  const home = await groups.newHome({ people: 2, seats: 1 })
  const groupId = await home.create()
  for (const person of home.people) await home.put(groupId, [person])
  const raise = portal.system.pool.query(
    'update organization_services set max_number_of_users = 2 where service_id = $1',
    [home.serviceId],
  )
  await expect(raise).rejects.toThrow('somebody waits beside a free seat')
})

test('more seats are one event with everybody who got one, and nobody in another organisation reads it', async () => {
  const home = await groups.newHome({ people: 3, seats: 1 })
  const other = await groups.newHome()
  const groupId = await home.create()
  for (const person of home.people) await home.put(groupId, [person])
  const { organizationId, serviceId } = home
  const services = [{ serviceId, maxNumberOfUsers: 3 }]
  expect((await root.put('/api/organizations', { organizationId, services })).statusCode).toBe(200)
  const late = home.people.slice(1).map(({ email }) => email)
  expect(await given(home)).toEqual([late.sort().join(', ')])
  const seenBy = async (browser: Client) =>
    (await browser.get('/api/audit-events?nameFilter=giveFreeSeats')).json().items.length
  expect([await seenBy(home.browser), await seenBy(other.browser)]).toEqual([1, 0])
})

test('a role that got free, or whose rule allows it since, is told with its key', async () => {
  const home = await groups.newHome({ people: 3 })
  const { serviceId } = home
  const role = { serviceId, key: 'doctor', nameSv: 'Läkare', maxPeople: 1 }
  const { roleId } = (await root.post('/api/service-roles', role)).json()
  const groupId = await home.create({ services: [{ serviceId, roleIds: [roleId] }] })
  for (const person of home.people) await home.put(groupId, [person])
  const [first, second, third] = home.people as [Person, Person, Person]
  await home.take(groupId, [first])
  expect(await given(home)).toEqual([`${second.email} [doctor]`])
  expect((await root.put('/api/service-roles', { roleId, maxPeople: 2 })).statusCode).toBe(200)
  expect(await given(home)).toEqual([`${second.email} [doctor]`, `${third.email} [doctor]`])
})

test('a personal number in an address is masked there as in every event', async () => {
  const home = await groups.newHome({ people: 1, seats: 1 })
  const groupId = await home.create()
  await home.put(groupId)
  const person = await portal.person({ email: '199001012385@firma.example' })
  await portal.join(person.accountId, home.organizationId)
  await home.put(groupId, [person])
  await home.take(groupId)
  expect(await given(home)).toEqual(['19900101-****@firma.example'])
  await portal.system.pool.query('update users set email = $1 where account_id = $2', [newEmail(), person.accountId])
})

test('a role changes and groups give it at once, and neither waits for the other in a circle', async () => {
  const home = await groups.newHome({ people: 12 })
  const { serviceId } = home
  const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'nurse', nameSv: 'Sköterska' })).json()
  const groupId = await home.create({ services: [{ serviceId, roleIds: [roleId] }] })
  const changes = home.people.flatMap((person, number) => [
    home.put(groupId, [person]),
    root.put('/api/service-roles', { roleId, maxPeople: 20 + number }),
  ])
  for (const answer of await Promise.all(changes)) expect(answer.statusCode, answer.body).toBe(200)
  const { rows } = await portal.system.pool.query(
    'select count(*)::integer from service_role_assignments where role_id = $1',
    [roleId],
  )
  expect(rows).toEqual([{ count: 12 }])
})
