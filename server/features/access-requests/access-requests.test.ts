import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  outbox = outboxOf(portal)
})
afterAll(() => portal?.close())

/** An organisation with a service that may be requested, its admins, and a member who lacks the service. */
async function scene({ seats = null, requestable = true }: { seats?: number | null; requestable?: boolean } = {}) {
  const { organizationId, name } = await portal.organization()
  const service = await portal.service()
  const { serviceId } = service
  await portal.system.db.updateTable('services').set({ requestable }).where('serviceId', '=', serviceId).execute()
  await portal.offer(organizationId, serviceId, seats)
  const [admin, serviceAdmin, member] = [await portal.person(), await portal.person(), await portal.person()]
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  await portal.join(serviceAdmin.accountId, organizationId)
  await portal.assign(serviceAdmin.accountId, organizationId, serviceId, 'serviceAdmin')
  await portal.join(member.accountId, organizationId)
  return {
    organizationId,
    organization: name,
    serviceId,
    service: service.name,
    admin,
    serviceAdmin,
    member,
    asAdmin: await portal.signedIn(admin),
    asMember: await portal.signedIn(member),
  }
}
type Scene = Awaited<ReturnType<typeof scene>>

const ask = (browser: Client, { organizationId, serviceId }: Pick<Scene, 'organizationId' | 'serviceId'>) =>
  browser.post('/api/access-requests', { organizationId, serviceId })
const openRequests = async (browser: Client) => (await browser.get('/api/access-requests')).json().items
const requestable = async (browser: Client, { organizationId }: Pick<Scene, 'organizationId'>) =>
  (await browser.get(`/api/organizations/${organizationId}/missing-services`)).json()
const grant = (browser: Client, requestId: string) => browser.post(`/api/access-requests/${requestId}/grant`)
const refuse = (browser: Client, requestId: string, reason = 'Not in your work') =>
  browser.post(`/api/access-requests/${requestId}/refuse`, { reason })
const templatesTo = async ({ email }: { email: string }) =>
  (await outbox.messagesTo(email)).map(({ template }) => template)
const eventsOf = (accountId: string) =>
  portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'actor', 'organizationIds', 'changes'])
    .where('targetId', '=', accountId)
    .where('name', 'not in', ['loginSuccess'])
    .orderBy('id')
    .execute()
const statuses = (answers: readonly { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode).sort()

async function requested(here: Scene) {
  expect((await ask(here.asMember, here)).statusCode).toBe(204)
  const [{ requestId }] = await openRequests(here.asAdmin)
  return requestId as string
}

test('a member requests a service, the admins are mailed, and one of them gives access with a click', async () => {
  const here = await scene({ seats: 2 })
  const { asMember, asAdmin, member, admin, serviceAdmin, organization, service, organizationId, serviceId } = here
  expect(await requestable(asMember, here)).toMatchObject([{ serviceId, request: null }])
  const requestId = await requested(here)
  expect(await requestable(asMember, here)).toMatchObject([{ request: { refusedBecause: null } }])
  expect((await asMember.get('/api/start')).json().requestable).toMatchObject([
    { organizationId, serviceId, request: { refusedBecause: null } },
  ])
  for (const person of [admin, serviceAdmin])
    expect(await outbox.messagesTo(person.email)).toMatchObject([
      {
        template: 'access-requested',
        values: { email: member.email, organizationName: organization, serviceName: service },
      },
    ])
  expect(await templatesTo(member)).toEqual([])
  for (const browser of [asAdmin, await portal.signedIn(serviceAdmin)])
    expect(await openRequests(browser)).toMatchObject([
      { requestId, email: member.email, organizationName: organization, serviceName: service, seatsLeft: 1 },
    ])
  expect((await grant(asAdmin, requestId)).statusCode).toBe(204)
  expect(await openRequests(asAdmin)).toEqual([])
  expect(await requestable(asMember, here)).toEqual([])
  expect((await asMember.get(`/launch/${serviceId}`)).headers.location).toBe('https://service.example')
  expect(await templatesTo(member)).toEqual(['access-answered'])
  expect(await eventsOf(member.accountId)).toMatchObject([
    {
      name: 'requestServiceAccess',
      actor: member.email,
      organizationIds: [organizationId],
      changes: [
        { property: 'organization', newValue: organization },
        { property: 'service', newValue: service },
      ],
    },
    {
      name: 'grantServiceAccess',
      actor: admin.email,
      organizationIds: [organizationId],
      changes: [
        { property: 'organization', newValue: organization },
        { property: 'services', previousValue: null, newValue: `${organization}: ${service}` },
      ],
    },
  ])
})

test('a member asks for what has ended, and a service admin grants it, but ends no appointment', async () => {
  const here = await scene()
  const { asAdmin, asMember, member, organizationId, serviceId } = here
  await portal.assign(member.accountId, organizationId, serviceId, 'serviceAdmin')
  await portal.system.pool.query(`update service_assignments set valid_until = '2020-01-01' where account_id = $1`, [
    member.accountId,
  ])
  const requestId = await requested(here)
  expect((await grant(await portal.signedIn(here.serviceAdmin), requestId)).statusCode).toBe(403)
  expect((await grant(asAdmin, requestId)).statusCode).toBe(204)
  expect(await openRequests(asAdmin)).toEqual([])
  expect(await requestable(asMember, here)).toEqual([])
})

test('a refused member reads why, and may ask again', async () => {
  const here = await scene()
  const requestId = await requested(here)
  const { asMember, asAdmin, member, admin, organizationId, organization, service } = here
  expect((await refuse(asAdmin, requestId, ' ')).json().issues).toEqual([{ path: 'reason', message: 'required' }])
  expect((await refuse(asAdmin, requestId)).statusCode).toBe(204)
  expect(await openRequests(asAdmin)).toEqual([])
  expect(await requestable(asMember, here)).toMatchObject([{ request: { refusedBecause: 'Not in your work' } }])
  expect(await outbox.messagesTo(member.email)).toMatchObject([
    { template: 'access-answered', values: { refusedBecause: 'Not in your work' } },
  ])
  expect((await eventsOf(member.accountId)).at(-1)).toEqual({
    name: 'refuseServiceAccess',
    actor: admin.email,
    organizationIds: [organizationId],
    changes: [
      { property: 'organization', previousValue: null, newValue: organization },
      { property: 'service', previousValue: null, newValue: service },
      { property: 'reason', previousValue: null, newValue: 'Not in your work' },
    ],
  })
  expect((await ask(asMember, here)).statusCode).toBe(204)
  expect(await openRequests(asAdmin)).toHaveLength(1)
  // The address of the first request no longer answers anything.
  expect((await grant(asAdmin, requestId)).statusCode).toBe(404)
})

describe('a request is refused', () => {
  test('for a service of another organisation, and for an organisation of others', async () => {
    const [here, there] = [await scene(), await scene()]
    for (const wanted of [
      { organizationId: there.organizationId, serviceId: there.serviceId },
      { organizationId: here.organizationId, serviceId: there.serviceId },
      { organizationId: there.organizationId, serviceId: here.serviceId },
    ])
      expect((await ask(here.asMember, wanted)).statusCode).toBe(404)
    expect(await openRequests(there.asAdmin)).toEqual([])
  })

  test('where it is not switched on for the service, and for a service that the person has', async () => {
    const off = await scene({ requestable: false })
    expect((await ask(off.asMember, off)).statusCode).toBe(404)
    expect(await requestable(off.asMember, off)).toEqual([])
    const has = await scene()
    const answer = await ask(await portal.signedIn(has.serviceAdmin), has)
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'serviceAlreadyAdded'])
  })

  test('while one is open, also of two at once, with one event and one mail', async () => {
    const here = await scene()
    const answers = await Promise.all([1, 2, 3].map(() => ask(here.asMember, here)))
    expect(statuses(answers)).toEqual([204, 409, 409])
    const again = await ask(here.asMember, here)
    expect([again.statusCode, again.json().message]).toEqual([409, 'accessAlreadyRequested'])
    expect(await eventsOf(here.member.accountId)).toHaveLength(1)
    expect(await templatesTo(here.admin)).toEqual(['access-requested'])
  })

  test('when a person asks too often', async () => {
    const here = await scene()
    for (let round = 0; round < 10; round++) await refuse(here.asAdmin, await requested(here))
    expect((await ask(here.asMember, here)).statusCode).toBe(429)
    portal.advance(3600)
    expect((await ask(await portal.signedIn(here.member), here)).statusCode).toBe(204)
  })
})

describe('an answer', () => {
  test('is not for admins of another organisation, who do not even see the request', async () => {
    const [here, there] = [await scene(), await scene()]
    const requestId = await requested(here)
    expect(await openRequests(there.asAdmin)).toEqual([])
    expect((await grant(there.asAdmin, requestId)).statusCode).toBe(404)
    expect((await refuse(there.asAdmin, requestId)).statusCode).toBe(404)
    expect((await here.asMember.get('/api/access-requests')).statusCode).toBe(403)
    expect((await grant(here.asMember, requestId)).statusCode).toBe(403)
    expect(await openRequests(here.asAdmin)).toHaveLength(1)
  })

  test('is given once, by two admins at once', async () => {
    const here = await scene()
    const requestId = await requested(here)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    expect(statuses(await Promise.all([grant(here.asAdmin, requestId), refuse(root, requestId)]))).toEqual([204, 404])
    expect(await eventsOf(here.member.accountId)).toHaveLength(2)
    expect(await templatesTo(here.member)).toEqual(['access-answered'])
  })

  test('gives no seat that is not there', async () => {
    const here = await scene({ seats: 1 })
    const requestId = await requested(here)
    const answer = await grant(here.asAdmin, requestId)
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'noSeatsLeft'])
    expect(await openRequests(here.asAdmin)).toMatchObject([{ requestId, seatsLeft: 0 }])
    expect(await templatesTo(here.member)).toEqual([])
  })

  test('comes too late when the person was removed, the organisation lost the service, or it was handed out', async () => {
    const removed = await scene()
    const gone = await requested(removed)
    const { accountId } = removed.member
    await removed.asAdmin.delete(`/api/users/${accountId}/organization/${removed.organizationId}`)
    expect((await grant(removed.asAdmin, gone)).statusCode).toBe(404)

    const lost = await scene()
    const useless = await requested(lost)
    await portal.system.db.deleteFrom('organizationServices').where('serviceId', '=', lost.serviceId).execute()
    expect((await grant(lost.asAdmin, useless)).statusCode).toBe(404)

    const handed = await scene()
    const answered = await requested(handed)
    const { serviceId, organizationId, member } = handed
    await handed.asAdmin.post(`/api/services/${serviceId}/${organizationId}/users`, { email: member.email })
    expect(await openRequests(handed.asAdmin)).toEqual([])
    expect((await grant(handed.asAdmin, answered)).statusCode).toBe(404)
  })
})

test('a page past the end is empty and keeps the number', async () => {
  const here = await scene()
  await requested(here)
  expect((await here.asAdmin.get('/api/access-requests?page=2')).json()).toMatchObject({ totalCount: 1, items: [] })
})
