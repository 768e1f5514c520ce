import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectData } from '#server/features/profile/own-data/collect-data.repository.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { chosenPassword, type Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// What a super user must know, and say, before an account at an address that nobody has proven gets further.

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
let root: Client
let rootPerson: Person
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
  rootPerson = await portal.person({ superUser: true })
  root = await portal.signedIn(rootPerson)
})
afterAll(() => portal?.close())

const unprovenReason = 'She called from the number that we know.'
const refusal = { statusCode: 409, message: 'addressNotProven' }
const of = ({ statusCode, json }: { statusCode: number; json: () => { message?: string } }) => ({
  statusCode,
  message: json().message,
})
const read = async (browser: Client, accountId: string) =>
  (await browser.get(`/api/users/${accountId}/organization/-/service/-`)).json()

/** An admin of A has opened an account for the address of somebody else by the link that admins can read. */
async function opened() {
  const [a, b] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
  const service = await portal.service()
  await portal.offer(a.organizationId, service.serviceId)
  const email = newEmail()
  await invite(a.browser, a.organizationId, email)
  await invites.accept(email, await invites.shownToken(a.browser, email, a.organizationId))
  const { accountId = '' } = (await invites.userOf(email)) ?? {}
  const own = { organizationId: a.organizationId, userRole: 'regular' as const }
  const ofB = { organizationId: b.organizationId, userRole: 'regular' as const }
  return { a, b, email, accountId, own, ofB, serviceId: service.serviceId }
}
type Opened = Awaited<ReturnType<typeof opened>>

/** Every road on which a super user gives access to an account. */
const roads: Record<string, (here: Opened, more: object) => ReturnType<Client['put']>> = {
  'a second organisation': ({ accountId, own, ofB }, more) =>
    root.put('/api/users', { accountId, organizations: [own, ofB], ...more }),
  'another organisation in place of its own': ({ accountId, ofB }, more) =>
    root.put('/api/users', { accountId, organizations: [ofB], ...more }),
  'the role of a super user': ({ accountId }, more) => root.put('/api/users', { accountId, superUser: true, ...more }),
  'the role of an organisation admin': ({ accountId, own }, more) =>
    root.put('/api/users', { accountId, organizations: [{ ...own, userRole: 'organizationAdmin' }], ...more }),
  'the same role, in the organisation': ({ accountId, own }, more) =>
    root.post(`/api/users/${accountId}/organization/${own.organizationId}/service`, {
      ...{ userRole: 'organizationAdmin', services: [] },
      ...more,
    }),
  'the role of a service admin': ({ accountId, own, serviceId }, more) =>
    root.put('/api/users', {
      accountId,
      services: [{ organizationId: own.organizationId, serviceId, userRole: 'serviceAdmin' }],
      ...more,
    }),
  'the same role, by the address': ({ email, own, serviceId }, more) =>
    root.post(`/api/services/${serviceId}/${own.organizationId}/users`, { email, userRole: 'serviceAdmin', ...more }),
}

describe.each(Object.entries(roads))(
  'a super user who gives %s to an account that A opened by the shown link',
  (_, give) => {
    test('is refused, may give a reason that stands in the event, and proves nothing by that', async () => {
      const here = await opened()
      const before = await invites.userOf(here.email)
      expect(of(await give(here, {}))).toMatchObject(refusal)
      expect(of(await give(here, { unprovenReason: ' ' })).statusCode).toBe(422)
      expect(await invites.userOf(here.email)).toEqual(before)
      expect([200, 204]).toContain((await give(here, { unprovenReason })).statusCode)
      const told = (await invites.eventsOf(here.email)).at(-1)
      expect(told?.changes).toContainEqual({
        property: 'unprovenReason',
        previousValue: null,
        newValue: unprovenReason,
      })
      expect(await read(root, here.accountId)).toMatchObject({ emailProven: false })
    })

    test('needs no reason once the owner has proven the address', async () => {
      const here = await opened()
      await portal.system.db
        .updateTable('users')
        .set({ emailProof: 'mailedCode', emailProvenAt: portal.now() })
        .where('email', '=', here.email)
        .execute()
      expect([200, 204]).toContain((await give(here, {})).statusCode)
      const changes = (await invites.eventsOf(here.email)).at(-1)?.changes
      expect(JSON.stringify(changes)).not.toContain('unprovenReason')
    })
  },
)

test('each further access of such an account asks again: one reason is no proof', async () => {
  const here = await opened()
  await roads['a second organisation']?.(here, { unprovenReason })
  expect(of(await root.put('/api/users', { accountId: here.accountId, superUser: true }))).toMatchObject(refusal)
})

test('what is the own matter of its organisation needs no word: a service, and a role that its admin gives', async () => {
  const { a, accountId, own, serviceId } = await opened()
  const services = [{ organizationId: own.organizationId, serviceId, userRole: 'regular' }]
  expect((await root.put('/api/users', { accountId, services })).statusCode).toBe(200)
  const path = `/api/users/${accountId}/organization/${own.organizationId}/service`
  expect((await a.browser.post(path, { userRole: 'organizationAdmin', services: [] })).statusCode).toBe(204)
})

test('a new account needs a reason as a super user, or in two organisations, and none in one', async () => {
  const { own, ofB } = await opened()
  const secret = { password: chosenPassword, confirmNewPassword: chosenPassword }
  const form = () => ({ email: newEmail(), firstName: 'Siv', lastName: 'Ny', loginMethod: 'local', ...secret })
  const add = async (more: object) => of(await root.post('/api/users', { ...form(), ...more }))
  expect(await add({ organizations: [own] })).toMatchObject({ statusCode: 201 })
  for (const more of [{ superUser: true }, { organizations: [own, ofB] }]) {
    expect(await add(more)).toMatchObject(refusal)
    expect(await add({ ...more, unprovenReason })).toMatchObject({ statusCode: 201 })
  }
})

test('no statement of any code makes it a member elsewhere: the database refuses', async () => {
  const { accountId, a, b } = await opened()
  const refused = { constraint: 'membership_needs_proof' }
  await expect(portal.join(accountId, b.organizationId)).rejects.toMatchObject(refused)
  await portal.system.db.deleteFrom('memberships').where('organizationId', '=', a.organizationId).execute()
  await expect(portal.join(accountId, b.organizationId, 'regular', 'guest')).rejects.toMatchObject(refused)
  const superUser = portal.system.db.updateTable('users').set({ superUser: true }).where('accountId', '=', accountId)
  await expect(superUser.execute()).rejects.toMatchObject({ constraint: 'user_operates_is_proven' })
})

describe('whether an address is proven', () => {
  test('stands in the list and the detail of those who may see the person; who opened the account only a super user reads', async () => {
    const { a, accountId, email } = await opened()
    const name = encodeURIComponent(email)
    const [inOwn] = (await a.browser.get(`/api/organizations/${a.organizationId}/users?searchQuery=${name}`)).json()
      .items
    const [inAll] = (await root.get(`/api/users?searchQuery=${name}`)).json().items
    expect([inOwn, inAll]).toMatchObject([{ emailProven: false }, { emailProven: false }])
    const { organizationId } = a
    expect(await read(root, accountId)).toMatchObject({
      emailProven: false,
      openedFor: { organizationId, name: a.name },
    })
    expect(await read(a.browser, accountId)).toMatchObject({ emailProven: false, openedFor: null })
    expect(await read(a.browser, a.admin.accountId)).toMatchObject({ emailProven: true })
  })

  test('says nothing of an invitation', async () => {
    const a = await invites.organizationWithAdmin()
    const { email } = await portal.person({ email: newEmail(), emailProof: null })
    await invite(a.browser, a.organizationId, email)
    const path = `/api/organizations/${a.organizationId}/users?searchQuery=${encodeURIComponent(email)}`
    const [row] = (await a.browser.get(path)).json().items
    expect([row, await read(a.browser, row.accountId)]).toMatchObject([{ emailProven: null }, { emailProven: null }])
  })
})

test("the operator's reason is for the operator: neither the organisation nor the person reads it", async () => {
  const here = await opened()
  const { a, email, accountId } = here
  for (const road of [roads['the same role, in the organisation'], roads['the role of a service admin']])
    expect([200, 204]).toContain((await road?.(here, { unprovenReason }))?.statusCode)
  const read = async (browser: Client, url: string) => (await browser.get(url)).body
  const list = `/api/audit-events?targetFilter=${encodeURIComponent(email)}`
  expect(await read(root, list)).toContain(unprovenReason)
  for (const url of [list, '/api/audit-events/export', '/api/audit-events/export-lines']) {
    const seen = await read(a.browser, url)
    expect([url, seen.includes(email), seen.includes(unprovenReason)]).toEqual([url, true, false])
  }
  const { items } = (await a.browser.get(list)).json()
  expect(items.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(['updateUser', 'updateUserServices'])
  for (const { id } of items) expect(await read(a.browser, `/api/audit-events/${id}`)).not.toContain(unprovenReason)
  const data = await collectData(portal.system.db, portal.system.keys, accountId)
  expect(JSON.stringify(data?.events)).toContain('updateUserServices')
  expect(JSON.stringify(data)).not.toContain(unprovenReason)
})

test("the operator's word has no time of a proof", async () => {
  const here = await opened()
  await roads['the role of a super user']?.(here, { unprovenReason })
  expect(await invites.userOf(here.email)).toMatchObject({ emailProof: 'operator', emailProvenAt: null })
})
