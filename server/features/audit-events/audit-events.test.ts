import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEvent, AuditEventDetail } from '#contract/audit-events.ts'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let superUser: Client
beforeAll(async () => {
  portal = await testApp()
  superUser = await portal.signedIn(await portal.person({ email: 'super@portal.example', superUser: true }))
})
afterAll(() => portal?.close())

interface Events {
  itemsPerPage: number
  totalCount: number
  hasMore: boolean
  items: AuditEvent[]
}
const list = async (browser: Client, filters: Record<string, string> = {}): Promise<Events> =>
  (await browser.get(`/api/audit-events?${new URLSearchParams(filters)}`)).json()
const read = async (browser: Client, { id }: { id: string }): Promise<AuditEventDetail> =>
  (await browser.get(`/api/audit-events/${id}`)).json()
const labels = ({ items }: Events) => items.map(({ name, actor, target }) => `${actor} ${name} ${target}`)

test('a super user reads who changed what from what to what', async () => {
  const { serviceId } = (
    await superUser.post('/api/services', { name: 'Before', url: 'https://before.example' })
  ).json()
  await superUser.put('/api/services', { serviceId, name: 'After', url: 'https://before.example' })
  const [event] = (await list(superUser, { nameFilter: 'updateService', targetFilter: 'after' })).items
  expect(event).toEqual({
    id: expect.any(String),
    name: 'updateService',
    actor: 'super@portal.example',
    target: 'After',
    createdAt: portal.now().toISOString(),
  })
  expect(await read(superUser, event as AuditEvent)).toEqual({
    ...event,
    changes: [{ property: 'name', previousValue: 'Before', newValue: 'After' }],
    requestId: expect.any(String),
  })
})

test('a super user finds events by name, actor, target, organisation and time', async () => {
  const { organizationId, admin, browser } = await invitationsOf(portal).organizationWithAdmin()
  const [first, second] = [newEmail(), newEmail()]
  portal.advance(60)
  const start = portal.now().toISOString()
  await invite(browser, organizationId, first)
  portal.advance(60)
  const later = portal.now().toISOString()
  await invite(browser, organizationId, second)
  portal.advance(60)
  const organizationFilter = organizationId
  const all = { organizationFilter, nameFilter: 'inviteUser' }
  expect(labels(await list(superUser, all))).toEqual([
    `${admin.email} inviteUser ${second}`,
    `${admin.email} inviteUser ${first}`,
  ])
  expect((await list(superUser, { ...all, targetFilter: first.toUpperCase() })).items).toHaveLength(1)
  expect((await list(superUser, { ...all, actorFilter: admin.email.slice(0, 6) })).items).toHaveLength(2)
  expect((await list(superUser, { ...all, actorFilter: '%' })).items).toHaveLength(0)
  expect(labels(await list(superUser, { ...all, from: later }))).toEqual([`${admin.email} inviteUser ${second}`])
  expect(labels(await list(superUser, { ...all, from: start, until: later }))).toEqual([
    `${admin.email} inviteUser ${first}`,
  ])
  expect((await list(superUser, { organizationFilter: newId() })).totalCount).toBe(0)
})

test('events are sorted by each column, the newest first unless asked otherwise, and turned page by page', async () => {
  const own = { actorFilter: 'sorter@portal.example', nameFilter: 'createService' }
  const sorter = await portal.signedIn(await portal.person({ email: 'sorter@portal.example', superUser: true }))
  for (let number = 10; number < 22; number++) {
    portal.advance(1)
    await sorter.post('/api/services', { name: `Sorted ${(number * 7) % 12}`, url: 'https://sorted.example' })
  }
  const page = await list(superUser, own)
  expect(page).toMatchObject({ itemsPerPage: 10, totalCount: 12, hasMore: false })
  const times = page.items.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  expect((await list(superUser, { ...own, page: '2' })).items).toHaveLength(2)
  expect((await list(superUser, { ...own, page: '3' })).items).toHaveLength(0)
  const targets = async (sortDirection: string) =>
    (await list(superUser, { ...own, sort: 'target', sortDirection })).items.map(({ target }) => target)
  const ascending = await targets('asc')
  expect(ascending).toEqual([...ascending].sort())
  expect((await targets('desc'))[0]).toBe('Sorted 9')
})

test.each([
  ['page', '0'],
  ['sort', 'changes'],
  ['sortDirection', 'sideways'],
  ['from', 'yesterday'],
  ['organizationFilter', 'all'],
  ['actorFilter', 'x'.repeat(201)],
  ['searchQuery', 'x'],
])('a query with %s=%s is refused', async (name, value) => {
  const response = await superUser.get(`/api/audit-events?${new URLSearchParams({ [name]: value })}`)
  expect(response.statusCode).toBe(422)
})

describe('an organisation admin', () => {
  test('reads the events of the own organisation, and none of others', async () => {
    const [own, other] = [
      await invitationsOf(portal).organizationWithAdmin(),
      await invitationsOf(portal).organizationWithAdmin(),
    ]
    await invite(own.browser, own.organizationId, newEmail())
    await invite(other.browser, other.organizationId, newEmail())
    await superUser.post('/api/services', { name: 'For somebody else', url: 'https://else.example' })
    const seen = await list(own.browser)
    expect(new Set(seen.items.map(({ actor }) => actor))).toEqual(new Set([own.admin.email]))
    expect(seen.items.map(({ name }) => name).sort()).toEqual(['inviteUser', 'loginSuccess'])
    expect((await list(own.browser, { organizationFilter: other.organizationId })).totalCount).toBe(0)
    const [theirs] = (await list(other.browser, { nameFilter: 'inviteUser' })).items
    expect((await own.browser.get(`/api/audit-events/${theirs?.id}`)).statusCode).toBe(404)
    const [mine] = (await list(own.browser, { nameFilter: 'inviteUser' })).items
    expect(await read(own.browser, mine as AuditEvent)).toMatchObject({ name: 'inviteUser', actor: own.admin.email })
  })

  test('reads nothing of what a colleague does in another organisation', async () => {
    const [own, other] = [
      await invitationsOf(portal).organizationWithAdmin(),
      await invitationsOf(portal).organizationWithAdmin(),
    ]
    // The admin of the other organisation is an ordinary member here.
    await portal.join(other.admin.accountId, own.organizationId)
    const invited = newEmail()
    await invite(other.browser, other.organizationId, invited)
    expect((await list(own.browser, { targetFilter: invited })).totalCount).toBe(0)
    expect((await list(other.browser, { targetFilter: invited })).totalCount).toBe(1)
    // Their sign-in concerns both.
    await portal.signedIn(other.admin)
    const signIns = await list(own.browser, { nameFilter: 'loginSuccess', targetFilter: other.admin.email })
    expect(signIns.totalCount).toBe(1)
  })

  test('does not learn from an event to which other organisations and services a colleague belongs', async () => {
    const own = await invitationsOf(portal).organizationWithAdmin()
    const elsewhere = await portal.organization('Secret customer AB')
    const person = await portal.person({ firstName: 'Anna' })
    for (const { organizationId } of [own, elsewhere]) await portal.join(person.accountId, organizationId)
    const organizations = [own, elsewhere].map(({ organizationId }) => ({
      organizationId,
      userRole: 'organizationAdmin',
    }))
    const { statusCode } = await superUser.put('/api/users', {
      accountId: person.accountId,
      firstName: 'Anja',
      organizations,
    })
    expect(statusCode).toBe(200)
    const filters = { nameFilter: 'updateUser', targetFilter: person.email }
    const [event] = (await list(own.browser, filters)).items
    expect((await read(own.browser, event as AuditEvent)).changes).toEqual([
      { property: 'firstName', previousValue: 'Anna', newValue: 'Anja' },
    ])
    const whole = JSON.stringify(await read(superUser, event as AuditEvent))
    expect(whole).toContain('Secret customer AB')
  })

  test('does not learn by a failed sign-in of their own making whether an address has an account', async () => {
    const own = await invitationsOf(portal).organizationWithAdmin()
    const elsewhere = await portal.organization()
    const known = await portal.person()
    await portal.join(known.accountId, elsewhere.organizationId)
    for (const email of [known.email, newEmail()]) {
      await own.browser.post('/api/verify-credentials', { email, password: 'Wrong-password-1' })
      expect((await list(own.browser, { targetFilter: email })).totalCount).toBe(0)
    }
    expect((await list(superUser, { nameFilter: 'loginFailure', targetFilter: known.email })).totalCount).toBe(1)
  })

  test('finds neither which of the own people belong elsewhere nor who administers them there', async () => {
    const own = await invitationsOf(portal).organizationWithAdmin()
    const other = await invitationsOf(portal).organizationWithAdmin()
    const shared = await portal.person()
    for (const { organizationId } of [own, other]) await portal.join(shared.accountId, organizationId)
    portal.advance(60)
    await other.browser.post(`/api/users/${shared.accountId}/last-active/now`)
    await portal.signedIn(shared)
    const filters = { targetFilter: shared.email }
    expect((await list(own.browser, { ...filters, organizationFilter: other.organizationId })).totalCount).toBe(0)
    expect((await list(own.browser, { ...filters, organizationFilter: own.organizationId })).totalCount).toBe(2)
    const actors = (await list(own.browser, { ...filters, sort: 'actor' })).items.map(({ actor }) => actor)
    expect(actors.toSorted()).toEqual([shared.email, null].toSorted())
    expect((await list(own.browser, { ...filters, actorFilter: other.admin.email })).totalCount).toBe(0)
    expect((await list(other.browser, { ...filters, actorFilter: other.admin.email })).totalCount).toBe(1)
  })
})
