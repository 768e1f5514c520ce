import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let admin: Client
let adminPerson: Person
let organizationId: string
let serviceId: string

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  organizationId = (await portal.organization('Nordvik AB')).organizationId
  serviceId = (await portal.service('Journal')).serviceId
  await portal.offer(organizationId, serviceId)
  adminPerson = await portal.person()
  await portal.join(adminPerson.accountId, organizationId, 'organizationAdmin')
  admin = await portal.signedIn(adminPerson)
})
afterAll(() => portal?.close())

const rowOf = async (client: Client, email: string): Promise<UserSummary> => {
  const { items } = (await client.get(`/api/organizations/${organizationId}/users?searchQuery=${email}`)).json()
  return items[0]
}
async function member(ssn: string | null = null) {
  const person = await portal.person({ ssn, phoneNumber: '+46701234567', preferredLanguage: 'fi' })
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId, 'serviceAdmin')
  return person
}

describe('the personal number of a member', () => {
  test('cannot be found out by trying: after twenty numbers in a day an admin waits, a super user does not', async () => {
    const ssn = testPersonalNumber('19850102')
    const { accountId } = await member(ssn)
    const own = await portal.person()
    await portal.join(own.accountId, organizationId)
    const statuses = async (client: Client, times: number) => {
      const found = []
      for (let index = 0; index < times; index++)
        found.push((await client.put('/api/users', { accountId: own.accountId, ssn })).statusCode)
      return found
    }
    expect(await statuses(admin, 21)).toEqual([...Array(20).fill(200), 429])
    expect(await statuses(root, 21)).toEqual(Array(21).fill(200))
    expect((await admin.put('/api/users', { accountId, firstName: 'Ärla', ssn: '19850102-****' })).statusCode).toBe(200)
  })
})

describe('a row in a list of people', () => {
  test('has every field of the person but the personal number', async () => {
    const { accountId, email } = await member('198501019802')
    const person = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
    const {
      ssn,
      ssnConfirmed: ___,
      openedFor: ____,
      portalRoleFrom: _____,
      portalRoleUntil: ______,
      editable: _,
      version: __,
      organizations,
      services,
      ...fields
    } = person
    expect(ssn).toBe('19850101-****')
    const row = await rowOf(root, email)
    expect(row).toMatchObject(fields)
    expect(row).not.toHaveProperty('ssn')
    expect(row.organizations).toEqual([{ organizationId, name: 'Nordvik AB', userRole: 'regular' }])
    expect(row.services).toEqual([{ serviceId, name: 'Journal', userRole: 'serviceAdmin' }])
    expect([organizations.length, services.length]).toEqual([1, 1])
  })

  test('shows an admin no personal details of someone who also belongs elsewhere', async () => {
    const { accountId, email } = await member()
    expect(await rowOf(admin, email)).toMatchObject({ phoneNumber: '+46701234567', preferredLanguage: 'fi' })
    await portal.join(accountId, (await portal.organization()).organizationId)
    expect(await rowOf(admin, email)).toMatchObject({
      phoneNumber: null,
      preferredLanguage: null,
      samlConfigId: null,
      lastLogin: null,
      lastActive: null,
      maxPassiveDays: null,
    })
  })

  test('of an invitation says role and services that wait with it', async () => {
    await admin.post('/api/invites', { email: 'new@nordvik.example', organizationId })
    const invited = await rowOf(admin, 'new@nordvik.example')
    expect(invited).toMatchObject({ pending: true, loginMethod: 'local', phoneNumber: null })
    expect(invited.organizations).toEqual([{ organizationId, name: 'Nordvik AB', userRole: 'regular' }])
  })
})

test('a row in a list of organisations has every field of the organisation', async () => {
  const fields = (await root.get(`/api/organizations/${organizationId}`)).json()
  const { items } = (await root.get('/api/organizations?searchQuery=Nordvik')).json()
  expect(items).toEqual([expect.objectContaining(fields)])
  const { services: __, ...plain } = fields
  expect((await root.get('/api/organizations/list')).json()).toContainEqual(plain)
})

describe('a field that an admin may not change', () => {
  test.each([
    ['a configuration without effect', { samlConfigId: 1 }],
    ['a sign-in method that lacks its configuration', { loginMethod: 'saml' }],
    ['a sign-in method that lacks the personal number', { loginMethod: 'bankid', ssn: null }],
    ['super user', { superUser: true }],
  ])('is refused, and nothing is written: %s', async (_, sent) => {
    const { accountId, email } = await member()
    const refused = await admin.put('/api/users', { accountId, firstName: 'Ändrad', ...sent })
    expect([refused.statusCode, refused.json().message]).toEqual([403, 'forbidden'])
    expect(await rowOf(admin, email)).toMatchObject({ firstName: 'Test' })
  })

  test('may be sent unchanged', async () => {
    const { accountId } = await member()
    const same = { loginMethod: 'local', samlConfigId: null, superUser: false, maxPassiveDays: null }
    expect((await admin.put('/api/users', { accountId, lastName: 'Ny', ...same })).statusCode).toBe(200)
  })
})

describe('the only admin of an organisation', () => {
  const giveUp = (client: Client, accountId: string, query = '') =>
    client.post(`/api/users/${accountId}/organization/${organizationId}/service${query}`, {
      userRole: 'regular',
      services: [],
    })

  test('is asked before giving up the role or leaving, and may insist', async () => {
    const { accountId } = adminPerson
    const refused = await giveUp(admin, accountId)
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'lastAdmin'])
    const stays = await admin.delete(`/api/users/${accountId}/organization/${organizationId}`)
    expect([stays.statusCode, stays.json().message]).toEqual([409, 'lastAdmin'])
    // An admin who cannot sign in is no help.
    const asleep = await portal.person({ passive: true })
    await portal.join(asleep.accountId, organizationId, 'organizationAdmin')
    expect((await giveUp(admin, accountId)).statusCode).toBe(409)
    expect((await giveUp(admin, accountId, '?force=true')).statusCode).toBe(204)
  })

  test('is not asked with another one there', async () => {
    for (const _ of [1, 2]) await portal.join((await portal.person()).accountId, organizationId, 'organizationAdmin')
    const leaving = await portal.person()
    await portal.join(leaving.accountId, organizationId, 'organizationAdmin')
    expect((await giveUp(await portal.signedIn(leaving), leaving.accountId)).statusCode).toBe(204)
  })
})
