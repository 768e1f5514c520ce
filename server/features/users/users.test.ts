import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const ssn = '199908072391'
const otherSsn = '201701102384'

let portal: TestApp
let root: Client
let rootPerson: Person
let admin: Client
let adminPerson: Person
let home: { organizationId: string; name: string }
let other: { organizationId: string; name: string }
let service: { serviceId: string; name: string }
let person: Person

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60', LIMIT_AUTH_TYPE: '100000/60' })
  rootPerson = await portal.person({ email: 'root@operator.example', superUser: true })
  root = await portal.signedIn(rootPerson)
  home = await portal.organization('Hemma AB')
  other = await portal.organization('Borta AB')
  service = await portal.service('Journal')
  await portal.offer(home.organizationId, service.serviceId)
  adminPerson = await portal.person({ email: 'admin@home.example' })
  await portal.join(adminPerson.accountId, home.organizationId, 'organizationAdmin')
  admin = await portal.signedIn(adminPerson)
})
afterAll(() => portal?.close())

beforeEach(async () => {
  person = await portal.person({ firstName: 'Ada', lastName: 'Berg', phoneNumber: '+46701740605' })
  await portal.join(person.accountId, home.organizationId)
})

const detail = (client: Client, accountId: string, organizationId = '-', serviceId = '-') =>
  client.get(`/api/users/${accountId}/organization/${organizationId}/service/${serviceId}`)
const revealed = async (accountId: string) => (await root.post(`/api/users/${accountId}/ssn/reveal`)).json().ssn
const stored = (accountId: string) =>
  portal.system.db.selectFrom('users').selectAll().where('accountId', '=', accountId).executeTakeFirst()
const events = async (targetId: string) => {
  const rows = await portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes', 'target', 'organizationIds'])
    .where('targetId', '=', targetId)
    .orderBy('id')
    .execute()
  return rows.filter(({ name }) => name !== 'loginSuccess')
}
const newUser = (email: string) => ({
  email,
  firstName: 'Nina',
  lastName: 'Ny',
  loginMethod: 'local',
  password: testPassword,
  confirmNewPassword: testPassword,
})
const problem = (response: { statusCode: number; json(): { message: string; issues?: unknown } }) => {
  const { message, issues } = response.json()
  return [response.statusCode, message, ...(issues ? [issues] : [])]
}

describe('a person in detail', () => {
  test('has the whole personal number for the person, and the date of birth for everyone else', async () => {
    const { accountId } = person
    expect((await root.put('/api/users', { accountId, ssn })).json().ssn).toBe('19990807-****')
    expect((await detail(admin, accountId)).json().ssn).toBe('19990807-****')
    expect((await detail(await portal.signedIn(person), accountId)).json().ssn).toBe(ssn)
    await root.put('/api/users', { accountId, ssn: null })
  })

  test('has twelve digits also where the number was sent with a hyphen', async () => {
    const { accountId } = person
    const typed = `${ssn.slice(0, 8)}-${ssn.slice(8)}`
    expect((await root.put('/api/users', { accountId, ssn: typed })).statusCode).toBe(200)
    expect(await revealed(accountId)).toBe(ssn)
    await root.put('/api/users', { accountId, ssn: null })
  })

  test('shows an admin no organisation and no service out of reach', async () => {
    await portal.join(person.accountId, other.organizationId)
    expect((await detail(root, person.accountId)).json().organizations).toHaveLength(2)
    expect((await detail(admin, person.accountId)).json().organizations).toMatchObject([{ name: 'Hemma AB' }])
    expect((await admin.get(`/api/users/${person.accountId}/services`)).json()).toEqual([])
  })

  test('gives 404 as a member of an organisation, or with a service, that is not theirs', async () => {
    const { accountId } = person
    expect((await detail(root, accountId, home.organizationId)).statusCode).toBe(200)
    expect((await detail(root, accountId, other.organizationId)).statusCode).toBe(404)
    expect((await detail(root, accountId, home.organizationId, service.serviceId)).statusCode).toBe(404)
    await portal.assign(accountId, home.organizationId, service.serviceId)
    expect((await detail(root, accountId, home.organizationId, service.serviceId)).statusCode).toBe(200)
  })
})

describe('creating', () => {
  test('a super user adds a person with organisations and services, who must change the password', async () => {
    const response = await root.post('/api/users', {
      ...newUser('nina@home.example'),
      ssn,
      organizations: [{ organizationId: home.organizationId, userRole: 'organizationAdmin' }],
      services: [{ organizationId: home.organizationId, serviceId: service.serviceId, userRole: 'serviceAdmin' }],
    })
    expect(response.statusCode, response.body).toBe(201)
    const { accountId } = response.json()
    expect(await stored(accountId)).toMatchObject({ passwordMustChange: true, pending: false })
    const [event, ...more] = await events(accountId)
    expect(more).toEqual([])
    expect(event).toMatchObject({ name: 'createUser', target: 'nina@home.example' })
    const changes = JSON.stringify(event?.changes)
    expect(changes).toContain('Hemma AB (organizationAdmin)')
    expect(changes).toContain('Hemma AB: Journal (serviceAdmin)')
    expect(changes).toContain('19990807-****')
    expect(changes).not.toContain(ssn)
    expect(changes).not.toContain('argon2')
    await root.delete(`/api/users/${accountId}`)
  })

  test('a password that contains the name of the person is refused, and nothing is written', async () => {
    const password = 'Ninamaria-2026-!'
    const body = {
      ...newUser('ninamaria@home.example'),
      firstName: 'Ninamaria',
      password,
      confirmNewPassword: password,
    }
    expect(problem(await root.post('/api/users', body))).toEqual([
      422,
      'validationFailed',
      [{ path: 'password', message: 'passwordTooCommon' }],
    ])
  })

  test.each([
    [{ loginMethod: 'bankid', password: undefined, confirmNewPassword: undefined }, 'ssn', 'requiredWithBankId'],
    [{ loginMethod: 'saml', password: undefined, confirmNewPassword: undefined }, 'samlConfigId', 'samlConfigRequired'],
    [{ loginMethod: 'bankid', ssn }, 'password', 'passwordNotForMethod'],
    [{ phoneNumber: '+1 202 555 0100' }, 'phoneNumber', 'invalidPhoneNumber'],
    [{ ssn: '199908072392' }, 'ssn', 'ssnInvalidDigits'],
    [
      { organizations: [{ organizationId: '00000000-0000-7000-8000-000000000000', userRole: 'regular' }] },
      'organizations.0.organizationId',
      'notFound',
    ],
  ])('%j is refused at its field', async (more, path, message) => {
    const response = await root.post('/api/users', { ...newUser('refused@home.example'), ...more })
    expect(problem(response)).toEqual([422, 'validationFailed', [{ path, message }]])
  })

  test('a service that the organisation does not have is refused at its place', async () => {
    const response = await root.post('/api/users', {
      ...newUser('unoffered@home.example'),
      organizations: [{ organizationId: other.organizationId, userRole: 'regular' }],
      services: [{ organizationId: other.organizationId, serviceId: service.serviceId, userRole: 'regular' }],
    })
    expect(problem(response)).toEqual([
      422,
      'validationFailed',
      [{ path: 'services.0.serviceId', message: 'serviceNotInOrganization' }],
    ])
  })
})

describe('changing', () => {
  test('an organisation admin changes names, ssn and phone, with one event that shows before and after', async () => {
    const { accountId } = person
    const response = await admin.put('/api/users', { accountId, firstName: 'Adele', ssn, phoneNumber: '+46701740606' })
    expect(response.statusCode, response.body).toBe(200)
    expect(await events(accountId)).toEqual([
      {
        name: 'updateUser',
        target: person.email,
        organizationIds: [home.organizationId],
        changes: expect.arrayContaining([
          { property: 'firstName', previousValue: 'Ada', newValue: 'Adele' },
          { property: 'ssn', previousValue: null, newValue: '19990807-****' },
          { property: 'phoneNumber', previousValue: '+46*****05', newValue: '+46*****06' },
        ]),
      },
    ])
    // The masked number that was shown means no change; another masked number is invalid.
    const again = await admin.put('/api/users', { accountId, ssn: '19990807-****', lastName: 'Bergman' })
    expect(again.json()).toMatchObject({ ssn: '19990807-****', lastName: 'Bergman' })
    expect(await revealed(accountId)).toBe(ssn)
    expect(problem(await admin.put('/api/users', { accountId, ssn: '19990808-****' }))).toEqual([
      422,
      'validationFailed',
      [{ path: 'ssn', message: 'ssnIncorrectFormat' }],
    ])
    await root.put('/api/users', { accountId, ssn: null })
  })

  test.each([
    { superUser: true },
    { loginMethod: 'bankid', ssn: otherSsn },
    { maxPassiveDays: 10 },
    { preferredLanguage: 'fi' },
    { organizations: [] },
  ])('an organisation admin who sends %j gets 403, and nothing is written', async (field) => {
    const { accountId } = person
    const before = await stored(accountId)
    const response = await admin.put('/api/users', { accountId, firstName: 'Changed', ...field })
    expect(problem(response)).toEqual([403, 'forbidden'])
    expect(await stored(accountId)).toEqual(before)
    expect(await events(accountId)).toEqual([])
  })

  test('an organisation admin may send fields that they cannot change, if they are unchanged', async () => {
    const seen = (await detail(admin, person.accountId)).json()
    const { accountId, email, loginMethod, superUser, maxPassiveDays, version } = seen
    const organizations = [{ organizationId: home.organizationId, userRole: 'regular' }]
    const body = { accountId, email, loginMethod, superUser, maxPassiveDays, version, organizations, services: [] }
    expect((await admin.put('/api/users', { ...body, lastName: 'Same' })).statusCode).toBe(200)
  })

  test('a person of another organisation too, or a super user, is not the admin’s to change', async () => {
    await portal.join(person.accountId, other.organizationId)
    const change = { accountId: person.accountId, firstName: 'Taken' }
    expect((await detail(root, person.accountId)).json().editable).toBe(true)
    expect((await detail(admin, person.accountId)).json().editable).toBe(false)
    expect(problem(await admin.put('/api/users', change))).toEqual([403, 'forbidden'])
    const superMember = await portal.person({ superUser: true })
    await portal.join(superMember.accountId, home.organizationId)
    expect((await admin.put('/api/users', { accountId: superMember.accountId, firstName: 'X' })).statusCode).toBe(403)
    const stranger = await portal.person()
    expect((await admin.put('/api/users', { accountId: stranger.accountId, firstName: 'X' })).statusCode).toBe(404)
  })

  test('the address cannot be changed by anyone', async () => {
    const response = await root.put('/api/users', { accountId: person.accountId, email: 'new@home.example' })
    expect(problem(response)).toEqual([422, 'validationFailed', [{ path: 'email', message: 'emailNotEditable' }]])
  })

  test('the owner is notified of a new number, without its value; not a pending person, and not of a new name', async () => {
    const outbox = outboxOf(portal)
    const { accountId, email } = person
    await admin.put('/api/users', { accountId, firstName: 'Adela' })
    expect(await outbox.messagesTo(email)).toEqual([])
    await admin.put('/api/users', { accountId, phoneNumber: '+46701740606' })
    const [mail, ...others] = await outbox.messagesTo(email)
    expect(mail).toMatchObject({ template: 'contact-changed', values: { changed: ['phoneNumber'], byAdmin: true } })
    expect(JSON.stringify(mail?.values)).not.toContain('740606')
    expect(others).toEqual([])
    const pending = await portal.person({ pending: true })
    await portal.join(pending.accountId, home.organizationId)
    expect((await admin.put('/api/users', { accountId: pending.accountId, ssn: otherSsn })).statusCode).toBe(200)
    expect(await outbox.messagesTo(pending.email)).toEqual([])
    await root.put('/api/users', { accountId: pending.accountId, ssn: null })
  })

  test('a reset link is revoked with the password, even if the login method is changed back', async () => {
    const { accountId, email } = person
    await portal.browser().post('/api/initiate-password-reset', { email })
    const link = String((await outboxOf(portal).messagesTo(email))[0]?.values.link)
    const find = async () => (await portal.browser().get(`/api${new URL(link).pathname}`)).statusCode
    expect(await find()).toBe(200)
    await root.put('/api/users', { accountId, loginMethod: 'bankid', ssn: otherSsn })
    expect(await find()).toBe(404)
    await root.put('/api/users', { accountId, loginMethod: 'local', ssn: null })
    expect(await find()).toBe(404)
  })

  test('a person cannot give up super user, or change their own ssn or phone here', async () => {
    const { accountId } = rootPerson
    for (const change of [{ superUser: false }, { ssn: otherSsn }, { phoneNumber: '+46701740607' }])
      expect(problem(await root.put('/api/users', { accountId, ...change }))).toEqual([403, 'ownAccount'])
  })

  test('a new login method requires its fields, removes the password and ends every session', async () => {
    const { accountId } = person
    const session = await portal.signedIn(person)
    expect(problem(await root.put('/api/users', { accountId, loginMethod: 'bankid' }))).toEqual([
      422,
      'validationFailed',
      [{ path: 'ssn', message: 'requiredWithBankId' }],
    ])
    expect((await session.get('/api/me')).statusCode).toBe(200)
    expect((await root.put('/api/users', { accountId, loginMethod: 'bankid', ssn })).statusCode).toBe(200)
    expect(await stored(accountId)).toMatchObject({ loginMethod: 'bankid', passwordHash: null })
    expect((await session.get('/api/me')).statusCode).toBe(401)
    expect(problem(await root.put('/api/users', { accountId, ssn: null }))[0]).toBe(422)
    await root.put('/api/users', { accountId, loginMethod: 'local', ssn: null })
  })

  test('a super user cannot sign in with SAML, in whichever order the two are set', async () => {
    const samlConfigId = await portal.samlConfig()
    const refused = [409, 'superUserNotSaml']
    const superUser = await portal.person({ superUser: true })
    const saml = { loginMethod: 'saml', samlConfigId }
    expect(problem(await root.put('/api/users', { accountId: superUser.accountId, ...saml }))).toEqual(refused)
    const colleague = await portal.person({ loginMethod: 'saml', samlConfigId })
    const promoted = { accountId: colleague.accountId, superUser: true }
    expect(problem(await root.put('/api/users', promoted))).toEqual(refused)
    expect(problem(await root.put('/api/users', { accountId: person.accountId, superUser: true, ...saml }))).toEqual(
      refused,
    )
    const { password: _, confirmNewPassword: __, ...named } = newUser('super@saml.example')
    expect(
      problem(await root.post('/api/users', { ...named, superUser: true, unprovenReason: 'New', ...saml })),
    ).toEqual(refused)
    for (const { accountId } of [superUser, colleague, person]) expect(await events(accountId)).toEqual([])
    // Both in one valid change.
    const both = await root.put('/api/users', { ...promoted, loginMethod: 'local2FA' })
    expect([both.statusCode, both.json().superUser]).toEqual([200, true])
  })

  test('removing super user ends every session', async () => {
    const second = await portal.person({ superUser: true })
    const session = await portal.signedIn(second)
    expect((await root.put('/api/users', { accountId: second.accountId, superUser: false })).statusCode).toBe(200)
    expect((await session.get('/api/me')).statusCode).toBe(401)
  })

  test('organisations and services are set as one change, and what is left out stays', async () => {
    const { accountId } = person
    const organizations = [
      { organizationId: home.organizationId, userRole: 'organizationAdmin' },
      { organizationId: other.organizationId, userRole: 'regular' },
    ]
    const services = [{ organizationId: home.organizationId, serviceId: service.serviceId, userRole: 'regular' }]
    expect((await root.put('/api/users', { accountId, organizations, services })).statusCode).toBe(200)
    expect((await root.put('/api/users', { accountId, firstName: 'Still' })).json()).toMatchObject({
      organizations: [{ name: 'Borta AB' }, { name: 'Hemma AB', userRole: 'organizationAdmin' }],
      services: [{ name: 'Journal' }],
    })
    // Removing the organisation removes its services.
    const left = await root.put('/api/users', { accountId, organizations: organizations.slice(1) })
    expect(left.json()).toMatchObject({ organizations: [{ name: 'Borta AB' }], services: [] })
    const event = (await events(accountId)).at(-1)
    expect(event?.changes).toEqual([
      { property: 'organizations', previousValue: 'Hemma AB (organizationAdmin)', newValue: null },
      { property: 'services', previousValue: 'Hemma AB: Journal', newValue: null },
    ])
  })
})

describe('erasing', () => {
  test('a super user deletes a person, whose sessions end; the event keeps the address', async () => {
    const session = await portal.signedIn(person)
    expect((await root.delete(`/api/users/${person.accountId}`)).statusCode).toBe(204)
    expect(await stored(person.accountId)).toBeUndefined()
    expect((await session.get('/api/me')).statusCode).toBe(401)
    expect((await events(person.accountId)).at(-1)).toMatchObject({ name: 'deleteUser', target: person.email })
  })

  test('a person cannot delete their own account', async () => {
    expect(problem(await root.delete(`/api/users/${rootPerson.accountId}`))).toEqual([403, 'ownAccount'])
    const upperCase = rootPerson.accountId.toUpperCase()
    expect(problem(await root.delete(`/api/users/${upperCase}`))).toEqual([403, 'ownAccount'])
  })
})

describe('last active', () => {
  test('a passive person can sign in again when an admin says when they were last active', async () => {
    const passive = await portal.person({ passive: true })
    await portal.join(passive.accountId, home.organizationId)
    expect((await admin.post(`/api/users/${passive.accountId}/last-active/now`)).statusCode).toBe(204)
    expect(await stored(passive.accountId)).toMatchObject({ passiveAt: null, lastActive: portal.now() })
    await portal.signedIn(passive)
    expect(await events(passive.accountId)).toMatchObject([
      { name: 'updateUser', changes: [{ property: 'passive', previousValue: 'true', newValue: 'false' }] },
    ])
  })

  test('an admin of one of several organisations reopens an account, and sets no date, which would end it elsewhere', async () => {
    const shared = await portal.person()
    const elsewhere = await portal.organization()
    await portal.join(shared.accountId, home.organizationId)
    await portal.join(shared.accountId, elsewhere.organizationId)
    const path = `/api/users/${shared.accountId}/last-active`
    expect((await admin.post(`${path}/1970-01-01T00:00:00Z`)).statusCode).toBe(403)
    expect((await admin.post(`${path}/now`)).statusCode).toBe(204)
    expect((await root.post(`${path}/2020-01-01T00:00:00Z`)).statusCode).toBe(204)
  })

  test('not in the future, and not something that is no time', async () => {
    const later = new Date(portal.now().getTime() + 1000).toISOString()
    expect(problem(await admin.post(`/api/users/${person.accountId}/last-active/${later}`))).toEqual([
      422,
      'validationFailed',
      [{ path: 'value', message: 'notInFuture' }],
    ])
    expect((await admin.post(`/api/users/${person.accountId}/last-active/yesterday`)).statusCode).toBe(404)
    const earlier = new Date(portal.now().getTime() - 1000).toISOString()
    expect((await admin.post(`/api/users/${person.accountId}/last-active/${earlier}`)).statusCode).toBe(204)
  })
})

describe('leaving', () => {
  test('a person who leaves the last organisation stays, without services', async () => {
    await portal.assign(person.accountId, home.organizationId, service.serviceId)
    const url = `/api/users/${person.accountId}/organization/${home.organizationId}`
    expect((await admin.delete(url)).statusCode).toBe(204)
    expect((await detail(root, person.accountId)).json()).toMatchObject({ organizations: [], services: [] })
    expect((await admin.delete(url)).statusCode).toBe(404)
    expect(await events(person.accountId)).toMatchObject([
      {
        name: 'removeUser',
        changes: [
          { property: 'organizations', previousValue: 'Hemma AB', newValue: null },
          { property: 'services', previousValue: 'Hemma AB: Journal', newValue: null },
        ],
      },
    ])
  })
})
