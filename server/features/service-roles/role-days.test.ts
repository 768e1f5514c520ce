import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAccessEndsJob } from '#server/features/access-ends/access-ends.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { question, questionsOf } from '#test/questions.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let admin: Client
let person: Person
let organizationId: string
let serviceId: string
let doctor: string
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())
beforeEach(async () => {
  await setAccessDay(portal, '2026-12-01')
  const home = await invitationsOf(portal).organizationWithAdmin()
  organizationId = home.organizationId
  admin = home.browser
  serviceId = (await portal.service('Journal')).serviceId
  await portal.offer(organizationId, serviceId)
  person = await portal.person({ preferredLanguage: 'en' })
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  doctor = await declare('doctor', { nameEn: 'Doctor' })
})

const declare = async (key: string, more: object = {}): Promise<string> =>
  (await root.post('/api/service-roles', { serviceId, key, nameSv: key, ...more })).json().roleId
const place = (userId = person.accountId) => `/api/users/${userId}/organization/${organizationId}`
const give = (periods: object[], roleIds = [doctor], userId?: string) =>
  admin.post(`${place(userId)}/service/${serviceId}/roles`, { roleIds, periods })
const held = async () => (await admin.get(`${place()}/service-roles`)).json()
const shown = async (query: string) =>
  (await admin.get(`/api/organizations/${organizationId}/users?${query}`)).json().items as {
    accountId: string
    endsOn: string | null
  }[]

test('counts from its first day to its last in tokens, userinfo, the directory and decisions', async () => {
  expect((await give([{ roleId: doctor, validFrom: '2026-12-02', validUntil: '2026-12-03' }])).statusCode).toBe(204)
  const services = servicesOf(portal)
  const scopes = ['openid', 'organization']
  const clientId = await services.register({ serviceId, scopes, directoryAccess: true })
  const { access_token: token } = await services.tokenFor(clientId, { scope: 'directory' })
  const browser = await portal.signedIn(person)
  const seen = []
  for (const day of ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04']) {
    await setAccessDay(portal, day)
    const { headers } = await browser.get(services.requestFor(clientId, { scope: 'openid organization' }), {
      accept: 'text/html',
    })
    const tokens = await services.tokensAt(clientId, String(headers.location))
    const told = (await services.userInfo(tokens.access_token)).json().roles
    const list = await portal
      .browser()
      .get(`/api/v1/organizations/${organizationId}/users`, { authorization: `Bearer ${token}` })
    const decided = (await questionsOf(portal).ask(token, question(person.accountId, 'doctor', organizationId))).json()
    seen.push([told.length, list.json().users[0].roles.length, decided.decision])
  }
  expect(seen).toEqual([
    [0, 0, false],
    [1, 1, true],
    [1, 1, true],
    [0, 0, false],
  ])
})

test('keeps its days where nothing is said of them, loses them with null, and leaves one event for a change', async () => {
  const nurse = await declare('nurse')
  await give([{ roleId: doctor, validFrom: '2026-12-02', validUntil: '2026-12-31' }])
  await give([], [doctor, nurse])
  const ofDoctor = { serviceId, roleId: doctor, validFrom: '2026-12-02', validUntil: '2026-12-31' }
  expect(await held()).toEqual(
    expect.arrayContaining([ofDoctor, { serviceId, roleId: nurse, validFrom: null, validUntil: null }]),
  )
  await give([{ roleId: doctor, validFrom: null }], [doctor, nurse])
  await give([{ roleId: doctor, validUntil: '2026-12-31' }], [doctor, nurse])
  expect(await held()).toContainEqual({ ...ofDoctor, validFrom: null })
  const { rows } = await portal.system.pool.query(
    `select changes from audit_events where name = 'updateUserServiceRoles' and target_id = $1 order by id`,
    [person.accountId],
  )
  const texts = rows.map(
    ({ changes }) => changes.find((one: { property: string }) => one.property === 'serviceRoles').newValue,
  )
  expect(texts).toEqual([
    'doctor (2026-12-02 – 2026-12-31)',
    'doctor (2026-12-02 – 2026-12-31), nurse',
    'doctor (– 2026-12-31), nurse',
  ])
})

test('has no end before its beginning, no day that does not exist, and none while it is promised', async () => {
  const path = (answer: { json: () => { issues: { path: string; message: string }[] } }) => answer.json().issues[0]
  expect(path(await give([{ roleId: doctor, validFrom: '2026-12-03', validUntil: '2026-12-02' }]))).toEqual({
    path: 'periods.0.validUntil',
    message: 'endsBeforeStart',
  })
  expect(path(await give([{ roleId: doctor, validUntil: '2026-02-30' }]))?.path).toBe('periods.0.validUntil')
  await give([{ roleId: doctor, validFrom: '2026-12-03' }])
  expect(path(await give([{ roleId: doctor, validUntil: '2026-12-02' }]))).toEqual({
    path: 'periods.0.validUntil',
    message: 'endsBeforeStart',
  })
  const email = newEmail()
  await admin.post('/api/invites/bulk', { organizationId, rows: [{ email, services: ['Journal'] }] })
  const { items } = (await admin.get(`/api/organizations/${organizationId}/users?searchQuery=${email}`)).json()
  expect(path(await give([{ roleId: doctor, validUntil: '2026-12-31' }], [doctor], items[0].accountId))).toEqual({
    path: 'periods.0',
    message: 'periodOnceAccepted',
  })
  expect((await give([], [doctor], items[0].accountId)).statusCode).toBe(204)
})

test('is told before it ends to the person and to the admins, is found in lists, and is extended with the rest', async () => {
  await give([{ roleId: doctor, validUntil: '2026-12-10' }])
  await createAccessEndsJob(portal.system).run()
  const [mail] = await outboxOf(portal).messagesTo(person.email)
  expect(mail).toMatchObject({
    template: 'access-ends',
    values: { endsOn: '2026-12-10', services: ['Journal: Doctor'] },
  })
  expect(await shown('status=accessEnds')).toMatchObject([{ accountId: person.accountId, endsOn: '2026-12-10' }])
  const extend = (validUntil: string) =>
    admin.post(`/api/organizations/${organizationId}/users/extend`, { accountIds: [person.accountId], validUntil })
  expect((await extend('2027-03-31')).json().rows).toMatchObject([{ outcome: 'done' }])
  expect(await held()).toMatchObject([{ validUntil: '2027-03-31' }])
  expect((await extend('2027-06-30')).json().rows).toMatchObject([{ outcome: 'skipped', reason: 'bulkEndsLater' }])
  expect(await shown('status=accessEnds')).toEqual([])
  await setAccessDay(portal, '2027-04-01')
  expect(await shown('status=accessEnded')).toMatchObject([{ accountId: person.accountId }])
})
