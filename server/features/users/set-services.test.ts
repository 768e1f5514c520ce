import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let admin: Client
let serviceAdmin: Client
let home: { organizationId: string; name: string }
let journal: { serviceId: string }
let booking: { serviceId: string }
let foreign: { serviceId: string }
let person: Person
let serviceAdminPerson: Person

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  home = await portal.organization('Hemma AB')
  journal = await portal.service('Journal')
  booking = await portal.service('Bokning')
  foreign = await portal.service('Inte vår')
  for (const { serviceId } of [journal, booking]) await portal.offer(home.organizationId, serviceId)
  root = await portal.signedIn(await portal.person({ superUser: true }))
  const adminPerson = await portal.person()
  await portal.join(adminPerson.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(adminPerson)
  serviceAdminPerson = await portal.person()
  await portal.join(serviceAdminPerson.accountId, home.organizationId)
  await portal.assign(serviceAdminPerson.accountId, home.organizationId, journal.serviceId, 'serviceAdmin')
  serviceAdmin = await portal.signedIn(serviceAdminPerson)
})
afterAll(() => portal?.close())

beforeEach(async () => {
  person = await portal.person()
  await portal.join(person.accountId, home.organizationId)
})

const set = (client: Client, body: unknown, accountId = person.accountId) =>
  client.post(`/api/users/${accountId}/organization/${home.organizationId}/service`, body)
const having = async (accountId = person.accountId) =>
  (await root.get(`/api/users/${accountId}/services`))
    .json()
    .map((one: { name: string; userRole: string }) => [one.name, one.userRole])
const eventsOf = (accountId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes'])
    .where('targetId', '=', accountId)
    .orderBy('id')
    .execute()
const regular = ({ serviceId }: { serviceId: string }) => ({ serviceId, userRole: 'regular' })
const usersOf = ({ serviceId }: { serviceId: string }) => `/api/services/${serviceId}/${home.organizationId}/users`

describe('role and services in an organisation', () => {
  test('an organisation admin sets them as one change, with one event', async () => {
    const services = [{ ...journal, userRole: 'serviceAdmin' }, regular(booking)].map(({ serviceId, userRole }) => ({
      serviceId,
      userRole,
    }))
    const response = await set(admin, { userRole: 'organizationAdmin', services })
    expect(response.statusCode, response.body).toBe(204)
    expect(await having()).toEqual([
      ['Bokning', 'regular'],
      ['Journal', 'serviceAdmin'],
    ])
    expect((await set(admin, { services: [regular(journal)] })).statusCode).toBe(204)
    expect(await having()).toEqual([['Journal', 'regular']])
    expect(await eventsOf(person.accountId)).toEqual([
      {
        name: 'updateUserServices',
        changes: expect.arrayContaining([
          { property: 'userRole', previousValue: 'regular', newValue: 'organizationAdmin' },
          {
            property: 'services',
            previousValue: null,
            newValue: 'Hemma AB: Bokning, Hemma AB: Journal (serviceAdmin)',
          },
        ]),
      },
      {
        name: 'updateUserServices',
        changes: expect.arrayContaining([
          {
            property: 'services',
            previousValue: 'Hemma AB: Bokning, Hemma AB: Journal (serviceAdmin)',
            newValue: 'Hemma AB: Journal',
          },
        ]),
      },
    ])
  })

  test('a service that the organisation does not have is refused like one that does not exist', async () => {
    const missing = { serviceId: '00000000-0000-7000-8000-000000000000' }
    for (const service of [foreign, missing]) {
      const response = await set(admin, { services: [regular(service)] })
      expect(response.statusCode).toBe(422)
      expect(response.json().issues).toEqual([{ path: 'services.0.serviceId', message: 'serviceNotInOrganization' }])
    }
    const twice = await set(admin, { services: [regular(journal), regular(journal)] })
    expect(twice.json().issues).toEqual([{ path: 'services', message: 'serviceAlreadyAdded' }])
  })

  test('a service admin sets only their own service, and does not change the others', async () => {
    await portal.assign(person.accountId, home.organizationId, journal.serviceId)
    await portal.assign(person.accountId, home.organizationId, booking.serviceId)
    expect((await set(serviceAdmin, { services: [regular(journal)] })).statusCode).toBe(204)
    expect((await set(serviceAdmin, { services: [regular(booking)] })).statusCode).toBe(403)
    expect((await set(serviceAdmin, { userRole: 'organizationAdmin', services: [] })).statusCode).toBe(403)
    expect((await set(serviceAdmin, { services: [] })).statusCode).toBe(204)
    expect(await having()).toEqual([['Bokning', 'regular']])
    // Without the service, the person is out of sight.
    expect((await set(serviceAdmin, { services: [regular(journal)] })).statusCode).toBe(404)
  })

  test('a service admin can neither appoint nor remove service admins', async () => {
    const asAdmin = { ...regular(journal), userRole: 'serviceAdmin' }
    const colleague = await portal.person()
    await portal.join(colleague.accountId, home.organizationId)
    await portal.assign(colleague.accountId, home.organizationId, journal.serviceId, 'serviceAdmin')
    await portal.assign(person.accountId, home.organizationId, journal.serviceId)
    const newcomer = await portal.person()
    await portal.join(newcomer.accountId, home.organizationId)
    const refused = [
      await set(serviceAdmin, { services: [asAdmin] }),
      await set(serviceAdmin, { services: [regular(journal)] }, colleague.accountId),
      await set(serviceAdmin, { services: [] }, colleague.accountId),
      await set(serviceAdmin, { services: [regular(journal)] }, serviceAdminPerson.accountId),
      await serviceAdmin.post(usersOf(journal), { email: newcomer.email, userRole: 'serviceAdmin' }),
      await serviceAdmin.delete(`${usersOf(journal)}/${colleague.accountId}`),
      await serviceAdmin.delete(`${usersOf(journal)}/${serviceAdminPerson.accountId}`),
    ]
    for (const response of refused) expect([response.statusCode, response.json().message]).toEqual([403, 'forbidden'])
    expect([await having(), await having(colleague.accountId), await having(newcomer.accountId)]).toEqual([
      [['Journal', 'regular']],
      [['Journal', 'serviceAdmin']],
      [],
    ])
    // A colleague who administers the service stays unchanged when the same role is sent back.
    expect((await set(serviceAdmin, { services: [asAdmin] }, colleague.accountId)).statusCode).toBe(204)
    for (const appointer of [admin, root]) {
      expect((await set(appointer, { services: [asAdmin] })).statusCode).toBe(204)
      expect((await appointer.delete(`${usersOf(journal)}/${person.accountId}`)).statusCode).toBe(204)
    }
  })

  test('an admin with an outdated form gets an error, and nothing is written', async () => {
    const { accountId } = person
    const { version } = (await admin.get(`/api/users/${accountId}/organization/-/service/-`)).json()
    expect((await set(admin, { version, services: [regular(journal)] })).statusCode).toBe(204)
    const late = await set(admin, { version, services: [regular(booking)] })
    expect([late.statusCode, late.json().message]).toEqual([409, 'changedByOthers'])
    expect(await having()).toEqual([['Journal', 'regular']])
  })

  test('a change of services makes an older form of the person stale', async () => {
    const { accountId } = person
    const { version } = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
    await set(admin, { services: [regular(journal)] })
    const late = await root.put('/api/users', { accountId, firstName: 'Late', version })
    expect([late.statusCode, late.json().message]).toEqual([409, 'changedByOthers'])
  })
})

describe('handing a service out by address', () => {
  test('a service admin assigns it to a colleague who is in none of their lists, and removes it', async () => {
    const response = await serviceAdmin.post(usersOf(journal), { email: person.email.toUpperCase() })
    expect(response.statusCode, response.body).toBe(204)
    expect(await having()).toEqual([['Journal', 'regular']])
    const again = await serviceAdmin.post(usersOf(journal), { email: person.email })
    expect([again.statusCode, again.json().message]).toEqual([409, 'serviceAlreadyAdded'])
    const one = `${usersOf(journal)}/${person.accountId}`
    expect((await serviceAdmin.delete(one)).statusCode).toBe(204)
    expect((await serviceAdmin.delete(one)).statusCode).toBe(404)
    expect((await eventsOf(person.accountId)).map(({ name }) => name)).toEqual([
      'updateUserServices',
      'updateUserServices',
    ])
  })

  test('what has ended is given again as it was, but a service admin ends no appointment', async () => {
    const end = () =>
      portal.system.pool.query(`update service_assignments set valid_until = '2020-01-01' where account_id = $1`, [
        person.accountId,
      ])
    const give = (client: Client) => client.post(usersOf(journal), { email: person.email })
    const held = async () => {
      const { services } = (await root.get(`/api/users/${person.accountId}/organization/-/service/-`)).json()
      return services.map((one: { userRole: string; validUntil: string }) => [one.userRole, one.validUntil])
    }
    await portal.assign(person.accountId, home.organizationId, journal.serviceId, 'serviceAdmin')
    await end()
    expect((await give(serviceAdmin)).statusCode).toBe(403)
    expect(await held()).toEqual([['serviceAdmin', '2020-01-01']])
    expect((await give(admin)).statusCode).toBe(204)
    expect(await held()).toEqual([['regular', null]])
    const role = { serviceId: journal.serviceId, key: 'doctor', nameSv: 'Läkare' }
    const { roleId } = (await root.post('/api/service-roles', role)).json()
    const place = `/api/users/${person.accountId}/organization/${home.organizationId}`
    await admin.post(`${place}/service/${journal.serviceId}/roles`, { roleIds: [roleId] })
    await end()
    expect((await give(serviceAdmin)).statusCode).toBe(204)
    expect(await held()).toEqual([['regular', null]])
    expect((await admin.get(`${place}/service-roles`)).json()).toMatchObject([{ roleId }])
  })

  test('a person of another organisation, a missing person, and a service of others give 404', async () => {
    const stranger = await portal.person()
    const answers = [
      await serviceAdmin.post(usersOf(journal), { email: stranger.email }),
      await serviceAdmin.post(usersOf(journal), { email: 'nobody@nowhere.example' }),
      await serviceAdmin.post(usersOf(booking), { email: person.email }),
      await serviceAdmin.post(usersOf(foreign), { email: person.email }),
    ]
    for (const answer of answers) expect([answer.statusCode, answer.json().message]).toEqual([404, 'notFound'])
  })
})
