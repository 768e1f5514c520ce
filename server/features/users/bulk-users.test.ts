import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BulkRow } from '#contract/users/bulk-users.ts'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
let root: Client
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

interface Answer {
  rows: BulkRow[]
}
const act = async (client: Client, organizationId: string, action: string, body: object) => {
  const response = await client.post(`/api/organizations/${organizationId}/users/${action}`, body)
  expect(response.statusCode, response.body).toBe(200)
  return (response.json() as Answer).rows.map(({ outcome, reason }) => (reason ? `${outcome}: ${reason}` : outcome))
}
const events = async (name: string, email: string) =>
  (await invites.eventsOf(email)).filter((event) => event.name === name).length

/** An organisation with an admin, a member, a passive member, an invited person, and someone of another organisation. */
async function crowd() {
  const { organizationId, admin, browser } = await invites.organizationWithAdmin()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 2)
  const member = await portal.person()
  const passive = await portal.person({ passive: true })
  for (const { accountId } of [member, passive]) await portal.join(accountId, organizationId)
  const email = newEmail()
  expect((await browser.post('/api/invites', { email, organizationId })).statusCode).toBe(201)
  const { invitationId } = await portal.system.db
    .selectFrom('invitations')
    .select('invitationId')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const elsewhere = await invites.organizationWithAdmin()
  const invited = { accountId: invitationId, email }
  return { organizationId, serviceId, admin, browser, member, passive, invited, stranger: elsewhere.admin, elsewhere }
}
const idsOf = (...people: { accountId: string }[]) => ({ accountIds: people.map((one) => one.accountId) })

describe('with a selection of people, an admin', () => {
  test('marks them as active', async () => {
    const { organizationId, browser, member, passive, invited, stranger } = await crowd()
    portal.advance(60)
    const selected = idsOf(member, passive, invited, stranger)
    const expected = ['done', 'done', 'skipped: bulkInvited', 'failed: notFound']
    expect(await act(browser, organizationId, 'mark-active', { ...selected, dryRun: true })).toEqual(expected)
    expect(await events('updateUser', passive.email)).toBe(0)
    expect(await act(browser, organizationId, 'mark-active', selected)).toEqual(expected)
    for (const { email } of [member, passive]) expect(await events('updateUser', email)).toBe(1)
    expect(await events('updateUser', stranger.email)).toBe(0)
    expect((await portal.signedIn(passive)).get('/api/me')).toBeTruthy()
  })

  test('sends invitations again, and only open ones', async () => {
    const { organizationId, browser, member, invited, stranger } = await crowd()
    portal.advance(600)
    const selected = idsOf(invited, member, stranger)
    const expected = ['done', 'skipped: bulkHasAccepted', 'failed: notFound']
    expect(await act(browser, organizationId, 'resend-invitations', { ...selected, dryRun: true })).toEqual(expected)
    expect(await invites.mailsTo(invited.email)).toHaveLength(1)
    expect(await act(browser, organizationId, 'resend-invitations', selected)).toEqual(expected)
    expect(await invites.mailsTo(invited.email)).toHaveLength(2)
    expect(await events('inviteUser', invited.email)).toBe(2)
  })

  test('assigns a service as far as there are seats, and takes it back', async () => {
    const { organizationId, serviceId, browser, admin, member, passive, invited, stranger } = await crowd()
    await portal.assign(admin.accountId, organizationId, serviceId)
    const selected = { ...idsOf(admin, member, passive, invited, stranger), serviceId }
    const expected = ['skipped: bulkHasService', 'done', 'failed: noSeatsLeft', 'done', 'failed: notFound']
    expect(await act(browser, organizationId, 'assign-service', { ...selected, dryRun: true })).toEqual(expected)
    expect(await act(browser, organizationId, 'assign-service', selected)).toEqual(expected)
    expect(await events('updateUserServices', member.email)).toBe(1)
    expect(await events('updateUserServices', passive.email)).toBe(0)
    expect(await events('updateUserServices', invited.email)).toBe(1)
    // Again: what is done stays done.
    expect(await act(browser, organizationId, 'assign-service', selected)).toEqual([
      ...['skipped: bulkHasService', 'skipped: bulkHasService', 'failed: noSeatsLeft', 'skipped: bulkHasService'],
      'failed: notFound',
    ])
    const taken = ['done', 'done', 'skipped: bulkLacksService', 'done', 'failed: notFound']
    expect(await act(browser, organizationId, 'revoke-service', { ...selected, dryRun: true })).toEqual(taken)
    expect(await act(browser, organizationId, 'revoke-service', selected)).toEqual(taken)
    const { items } = (await browser.get(`/api/organizations/${organizationId}/users?serviceId=${serviceId}`)).json()
    expect(items).toEqual([])
  })

  test('asks for a fresh proof where a service admin is among them, and then does it', async () => {
    const { organizationId, serviceId, admin, browser, member, invited } = await crowd()
    const other = await portal.service()
    await portal.offer(organizationId, other.serviceId)
    const promise = { services: [{ serviceId: other.serviceId, userRole: 'serviceAdmin' }] }
    const place = `/api/users/${invited.accountId}/organization/${organizationId}/service`
    expect((await browser.post(place, promise)).statusCode).toBe(204)
    await portal.assign(member.accountId, organizationId, serviceId, 'serviceAdmin')
    const cases = [
      ['assign-service', invited],
      ['revoke-service', member],
      ['revoke-service', invited],
    ] as const
    for (const [action, person] of cases) {
      portal.advance(10 * 60 + 1)
      const call = `/api/organizations/${organizationId}/users/${action}`
      const body = { ...idsOf(person), serviceId }
      const refused = await browser.post(call, body)
      expect([refused.statusCode, refused.json().message]).toEqual([403, 'freshProofRequired'])
      expect(await act(browser, organizationId, action, { ...body, dryRun: true })).toEqual(['done'])
      expect(await act(await portal.signedIn(admin), organizationId, action, body)).toEqual(['done'])
    }
  })

  test('removes them, but not the own account', async () => {
    const { organizationId, browser, admin, member, invited, stranger, elsewhere } = await crowd()
    const selected = idsOf(admin, member, invited, stranger)
    const expected = ['skipped: bulkOwnAccount', 'done', 'done', 'failed: notFound']
    expect(await act(browser, organizationId, 'remove', { ...selected, dryRun: true })).toEqual(expected)
    expect(await act(browser, organizationId, 'remove', selected)).toEqual(expected)
    for (const { email } of [member, invited]) expect(await events('removeUser', email)).toBe(1)
    const { items } = (await browser.get(`/api/organizations/${organizationId}/users`)).json()
    expect(items.map((one: { email: string }) => one.email).sort()).not.toContain(member.email)
    expect(
      (await elsewhere.browser.get(`/api/organizations/${elsewhere.organizationId}/users`)).json().totalCount,
    ).toBe(1)
  })

  test('learns nothing about people of other organisations: they answer like ids that do not exist', async () => {
    const { organizationId, serviceId, browser, stranger, elsewhere } = await crowd()
    const made = { accountId: newId() }
    for (const action of ['mark-active', 'resend-invitations', 'assign-service', 'revoke-service', 'remove'])
      for (const dryRun of [true, false]) {
        const service = /service/.test(action) ? { serviceId } : {}
        const body = { ...idsOf(stranger, made), ...service, dryRun }
        expect(await act(browser, organizationId, action, body)).toEqual(['failed: notFound', 'failed: notFound'])
        const { statusCode } = await browser.post(
          `/api/organizations/${elsewhere.organizationId}/users/${action}`,
          body,
        )
        expect(statusCode, action).toBe(404)
      }
    expect(await events('updateUser', stranger.email)).toBe(0)
  })

  test('cannot act without naming an organisation', async () => {
    const { browser, member } = await crowd()
    for (const action of ['mark-active', 'resend-invitations', 'remove'])
      expect((await browser.post(`/api/organizations/-/users/${action}`, idsOf(member))).statusCode).toBe(404)
  })

  test('gets one answer for one request with an idempotency key', async () => {
    const { organizationId, browser, member } = await crowd()
    portal.advance(60)
    const send = () =>
      browser.post(`/api/organizations/${organizationId}/users/mark-active`, idsOf(member), {
        'idempotency-key': 'once',
      })
    const first = await send()
    portal.advance(60)
    const again = await send()
    expect([again.statusCode, again.body]).toEqual([200, first.body])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await events('updateUser', member.email)).toBe(1)
  })
})

describe('a selection', () => {
  test.each([
    ['no one', []],
    ['more than a hundred', Array.from({ length: 101 }, newId)],
    ['someone twice', Array(2).fill('01900000-0000-7000-8000-000000000000')],
  ])('of %s is refused', async (_, accountIds) => {
    const { organizationId, browser } = await crowd()
    const response = await browser.post(`/api/organizations/${organizationId}/users/mark-active`, { accountIds })
    expect(response.statusCode).toBe(422)
  })

  test('cannot get a service that the organisation does not have', async () => {
    const { organizationId, browser, member } = await crowd()
    const foreign = await portal.service()
    for (const serviceId of [foreign.serviceId, newId()]) {
      const body = { ...idsOf(member), serviceId }
      const response = await browser.post(`/api/organizations/${organizationId}/users/assign-service`, body)
      const issues = [{ path: 'serviceId', message: 'serviceNotInOrganization' }]
      expect([response.statusCode, response.json().issues]).toEqual([422, issues])
    }
  })

  test('of several organisations is for super users', async () => {
    const { member, stranger, invited, organizationId } = await crowd()
    portal.advance(600)
    expect(await act(root, '-', 'mark-active', idsOf(member, stranger))).toEqual(['done', 'done'])
    expect(await act(root, '-', 'resend-invitations', idsOf(invited, stranger))).toEqual([
      'done',
      'skipped: bulkHasAccepted',
    ])
    expect(await act(root, organizationId, 'mark-active', idsOf(stranger))).toEqual(['failed: notFound'])
    expect((await root.post('/api/organizations/-/users/remove', idsOf(member))).statusCode).toBe(404)
  })
})
