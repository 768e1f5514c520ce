import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { buildWorld, type World } from '#test/world.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let world: World
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100/60' })
  services = servicesOf(portal)
  world = await buildWorld(portal)
})
afterAll(() => portal?.close())

const call = (url: string, token: string) => portal.browser().get(url, { authorization: `Bearer ${token}` })
const clientOf = (serviceId: string, more: object = {}) =>
  services.register({ serviceId, directoryAccess: true, ...more })
const tokenOf = async (clientId: string): Promise<string> =>
  (await services.tokenFor(clientId, { scope: 'directory' })).access_token
const peopleAt = (organizationId: string) => `/api/v1/organizations/${organizationId}/users`

/** A service with people in one organisation. */
async function serviceWithPeople(count: number, ssn?: string) {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const people = []
  for (let number = 0; number < count; number++) {
    const person = await portal.person({ firstName: 'Åsa', lastName: `Öberg ${number}`, ssn: ssn ?? null })
    await portal.join(person.accountId, organizationId, number === 0 ? 'organizationAdmin' : 'regular')
    await portal.assign(person.accountId, organizationId, serviceId, number === 0 ? 'serviceAdmin' : 'regular')
    people.push(person)
  }
  return { organizationId, serviceId, people }
}

describe('a service with a token of its own', () => {
  test('reads its organisations, and who has it there, a page at a time', async () => {
    const { organizationId, serviceId, people } = await serviceWithPeople(3)
    const colleague = await portal.person()
    await portal.join(colleague.accountId, organizationId)
    const token = await tokenOf(await clientOf(serviceId))
    const { organizations, next } = (await call('/api/v1/organizations', token)).json()
    expect([organizations, next]).toEqual([[{ id: organizationId, name: expect.any(String), number: null }], null])
    const first = (await call(`${peopleAt(organizationId)}?limit=2`, token)).json()
    const second = (await call(`${peopleAt(organizationId)}?limit=2&after=${first.next}`, token)).json()
    expect([first.users.length, second.users.length, second.next]).toEqual([2, 1, null])
    const all = [...first.users, ...second.users]
    // The colleague does not have the service.
    expect(all.map(({ id }) => id).sort()).toEqual(people.map(({ accountId }) => accountId).sort())
    expect(all.find(({ id }) => id === people[0]?.accountId)).toEqual({
      id: people[0]?.accountId,
      name: 'Åsa Öberg 0',
      givenName: 'Åsa',
      familyName: 'Öberg 0',
      email: people[0]?.email,
      emailVerified: expect.any(Boolean),
      locale: null,
      roles: ['organizationAdmin', 'serviceAdmin'],
      active: true,
    })
  })

  test('reads nothing of organisations without it, which answer like those that do not exist', async () => {
    const { serviceId } = world.home
    const token = await tokenOf(await clientOf(serviceId))
    const answers = await Promise.all([
      call('/api/v1/organizations', token),
      call(peopleAt(world.home.organizationId), token),
      call(peopleAt(world.other.organizationId), token),
      call(peopleAt('01900000-0000-7000-8000-000000000000'), token),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404, 404])
    for (const { body } of answers) for (const mark of world.othersMarks) expect(body).not.toContain(mark)
    const comparable = (body: string) => ({ ...JSON.parse(body), requestId: '' })
    expect(comparable(answers[2]?.body ?? '')).toEqual(comparable(answers[3]?.body ?? ''))
    // A place in another organisation's list is no way in.
    const beside = await call(`${peopleAt(world.home.organizationId)}?after=${world.other.user.accountId}`, token)
    for (const mark of world.othersMarks) expect(beside.body).not.toContain(mark)
  })

  test('sees nobody of an organisation that has given it back', async () => {
    const { organizationId, serviceId } = await serviceWithPeople(1)
    const token = await tokenOf(await clientOf(serviceId))
    const { db } = portal.system
    await db.deleteFrom('organizationServices').where('serviceId', '=', serviceId).execute()
    expect((await call(peopleAt(organizationId), token)).statusCode).toBe(404)
    expect((await call('/api/v1/organizations', token)).json().organizations).toEqual([])
  })

  test('never gets a personal number, and the organisation sees once an hour that its people were read', async () => {
    const { organizationId, serviceId } = await serviceWithPeople(1, '199908072391')
    const clientId = await clientOf(serviceId)
    const token = await tokenOf(clientId)
    for (const _ of [1, 2]) expect((await call(peopleAt(organizationId), token)).body).not.toMatch(/ssn|19990807/)
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select(['actorId', 'organizationIds', 'changes'])
      .where('name', '=', 'readDirectory')
      .where('targetId', '=', serviceId)
      .execute()
    expect(events).toEqual([
      {
        actorId: null,
        organizationIds: [organizationId],
        changes: [{ property: 'client', previousValue: null, newValue: clientId }],
      },
    ])
  })
})

describe('nobody else is let in', () => {
  test('with a session, without a token, or with one for something else', async () => {
    const { organizationId, serviceId, people } = await serviceWithPeople(1)
    const url = peopleAt(organizationId)
    const apiUri = 'https://api.example/orders'
    await services.register({ apiUri, apiToken: 'opaque' })
    const clientId = await clientOf(serviceId, { apis: [apiUri] })
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const none = await root.get(url)
    expect([none.statusCode, none.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const { tokens } = await services.signInTo(clientId, people[0] as never)
    const withoutScope = (await services.tokenFor(clientId)).access_token
    const ofApi = (await services.tokenFor(clientId, { scope: 'directory', resource: apiUri })).access_token
    for (const token of [tokens.access_token, withoutScope, ofApi, 'a'.repeat(43), ''])
      expect((await call(url, token)).statusCode).toBe(401)
    expect((await call(url, await tokenOf(clientId))).statusCode).toBe(200)
  })

  test('by a client without the right: not granted, taken away, removed, or over', async () => {
    const { organizationId, serviceId } = await serviceWithPeople(1)
    const url = peopleAt(organizationId)
    const without = await services.register({ serviceId, kind: 'machine', redirectUris: [] })
    expect(await services.tokenFor(without, { scope: 'directory' })).toMatchObject({ error: 'invalid_scope' })
    // A web app without it gets no token for itself at all.
    expect(await services.tokenFor(await services.register({ serviceId }))).toMatchObject({
      error: 'invalid_request',
    })
    const clientId = await clientOf(serviceId)
    const { db } = portal.system
    const [one, two] = [await tokenOf(clientId), await tokenOf(clientId)]
    await services.revoke(clientId, one)
    expect((await call(url, one)).statusCode).toBe(401)
    const set = (directoryAccess: boolean) =>
      db.updateTable('clients').set({ directoryAccess }).where('clientId', '=', clientId).execute()
    await set(false)
    expect((await call(url, two)).statusCode).toBe(401)
    await set(true)
    expect((await call(url, two)).statusCode).toBe(200)
    portal.advance(901)
    expect((await call(url, two)).statusCode).toBe(401)
    const three = await tokenOf(clientId)
    await db.deleteFrom('clients').where('clientId', '=', clientId).execute()
    expect((await call(url, three)).statusCode).toBe(401)
  })

  test('more often than its limit allows, while other services go on', async () => {
    const [busy, quiet] = [await serviceWithPeople(0), await serviceWithPeople(0)]
    const [token, other] = [
      await tokenOf(await clientOf(busy.serviceId)),
      await tokenOf(await clientOf(quiet.serviceId)),
    ]
    const statuses = []
    for (let count = 0; count < 101; count++) statuses.push((await call('/api/v1/organizations', token)).statusCode)
    expect(statuses.indexOf(429)).toBe(100)
    expect((await call('/api/v1/organizations', other)).statusCode).toBe(200)
  })
})
