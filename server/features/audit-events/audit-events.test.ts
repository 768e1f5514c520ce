import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEvent, AuditEventDetail } from '#contract/audit-events/audit-events.ts'
import { maxCounted } from '#contract/fields/fields.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'

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
  coldMonths: { first: string; last: string } | null
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
    actorName: expect.any(String),
    targetName: null,
    createdAt: portal.now().toISOString(),
    changes: [{ property: 'name', previousValue: 'Before', newValue: 'After' }],
  })
  expect(await read(superUser, event as AuditEvent)).toEqual({
    ...event,
    targetId: serviceId,
    actorLink: { kind: 'user', id: expect.any(String) },
    targetLink: { kind: 'service', id: serviceId },
    requestId: expect.any(String),
    hasColdMonths: false,
  })
})

test('where the list ends, and its time reaches them, the months in files are named', async () => {
  const owner = new pg.Client(portal.ownerUrl)
  await owner.connect()
  await owner.query(`insert into audit_cold_months (month, last_seq, signed, created_at)
    values ('2024-01', -2, 'x', now()), ('2024-03', -1, 'x', now())`)
  const asked = async (query: Record<string, string>) => (await list(superUser, query)).coldMonths
  const months = { first: '2024-01', last: '2024-03' }
  const last = { nameFilter: 'updateService' }
  expect(await asked(last)).toEqual(months)
  expect(await asked({ ...last, from: '2024-03-31T00:00:00Z' })).toEqual(months)
  expect(await asked({ ...last, from: '2024-04-01T00:00:00Z' })).toBeNull()
  expect(await asked({ nameFilter: 'none of this name' })).toEqual(months)
  for (let more = 0; more < 10; more++)
    await superUser.post('/api/services', { name: `Service ${more}`, url: 'https://more.example' })
  const { items, totalCount } = await list(superUser)
  expect(totalCount).toBeGreaterThan(items.length)
  expect(await asked({})).toBeNull()
  await owner.query('delete from audit_cold_months')
  await owner.end()
})

test('long values are cut in the list and whole in the event', async () => {
  const url = `https://long.example/${'x'.repeat(500)}`
  await superUser.post('/api/services', { name: 'Long address', url })
  const [event] = (await list(superUser, { nameFilter: 'createService', targetFilter: 'long address' })).items
  const valueIn = ({ changes }: AuditEvent) => changes.find(({ property }) => property === 'url')?.newValue
  expect(valueIn(event as AuditEvent)).toBe(`${url.slice(0, 119)}…`)
  expect(valueIn(await read(superUser, event as AuditEvent))).toBe(url)
})

test('people have the names that they had then, also when they are renamed and deleted', async () => {
  const { organizationId } = await portal.organization()
  const person = await portal.person({ firstName: 'Astrid', lastName: 'Ek' })
  await portal.join(person.accountId, organizationId)
  // The database's own clock says until when a name was used.
  const ahead = (Date.now() - portal.now().getTime()) / 1000
  portal.advance(ahead)
  const editor = await portal.signedIn(await portal.person({ superUser: true, firstName: 'Rut', lastName: 'Root' }))
  const { accountId } = person
  await editor.put('/api/users', { accountId, firstName: 'Asta' })
  portal.advance(5)
  await editor.put('/api/users', { accountId, phoneNumber: '+46701740612' })
  portal.advance(5)
  await editor.delete(`/api/users/${accountId}`)
  const told = async (filters: Record<string, string>) =>
    (await list(editor, filters)).items.map(({ name, actorName, targetName }) => `${actorName} ${name} ${targetName}`)
  const history = ['Rut Root deleteUser Asta Ek', 'Rut Root updateUser Asta Ek', 'Rut Root updateUser Astrid Ek']
  expect(await told({ targetIdFilter: accountId })).toEqual(history)
  expect(await told({ targetFilter: 'astrid EK' })).toEqual(history)
  expect(await told({ textFilter: 'rut asta' })).toEqual(history)
  expect(await told({ actorFilter: 'asta' })).toEqual([])
  const [deleted] = (await list(editor, { targetIdFilter: accountId })).items
  expect(await read(editor, deleted as AuditEvent)).toMatchObject({ targetId: accountId, targetLink: null })
  // Back to when the other sessions live.
  portal.advance(-ahead - 10)
})

test('a name that very many people have had finds no event without it', async () => {
  const { accountId, email } = await portal.person({ firstName: 'Frequentia', lastName: 'Before' })
  await superUser.put('/api/users', {
    accountId,
    firstName: 'Other',
    lastName: 'Name',
    organizations: [],
    services: [],
  })
  await superUser.post('/api/services', { name: 'Rare', url: 'https://rare.example' })
  await portal.system.pool.query(
    `insert into former_names (account_id, email, first_name, last_name)
     select gen_random_uuid(), 'former' || number || '@many.example', 'Frequentia', 'X' from generate_series(1, 200) number`,
  )
  for (const filters of [{ textFilter: 'frequentia' }, { targetFilter: 'frequentia' }])
    for (const sort of ['createdAt', 'actor', 'target']) {
      const { items, totalCount } = await list(superUser, { ...filters, sort, nameFilter: 'updateUser' })
      expect([totalCount, items.map(({ target }) => target)]).toEqual([1, [email]])
    }
  expect((await list(superUser, { actorFilter: 'frequentia' })).items).toEqual([])
})

test('a search that takes too long says what to do', async () => {
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    // Takes as long as a statement may.
    await owner.query('begin; lock table audit_events')
    const response = await superUser.get('/api/audit-events?textFilter=qz')
    expect([response.statusCode, response.json().message]).toEqual([422, 'eventSearchTooSlow'])
  } finally {
    await owner.end()
  }
})

test('people are found by words of their names and of their address together', async () => {
  const { accountId, email } = await portal.person({
    firstName: 'Karin Åsa',
    lastName: 'Öqvist',
    email: 'oqvist@beyond.example',
  })
  await superUser.put('/api/users', { accountId, phoneNumber: '+46701740613' })
  const found = async (filters: Record<string, string>) =>
    (await list(superUser, { ...filters, nameFilter: 'updateUser' })).items.map(({ target }) => target)
  for (const words of ['karin', 'ÅSA', 'öqv', 'karin oqvist', 'beyond åsa öqvist', 'arin qvist'])
    for (const filter of ['targetFilter', 'textFilter'])
      expect([words, await found({ [filter]: words })]).toEqual([words, [email]])
  for (const words of ['karin andersson', 'karin åsax', 'beyond öqvistx'])
    expect([words, await found({ targetFilter: words })]).toEqual([words, []])
})

test('a whole address finds that person alone, and a part of it everyone who has it', async () => {
  const emails = ['anna@whole.example', 'joanna@whole.example', 'anna@whole.example.se']
  for (const email of emails) {
    const { accountId } = await portal.person({ email })
    await superUser.put('/api/users', { accountId, firstName: 'Other' })
  }
  const found = async (filters: Record<string, string>) =>
    (await list(superUser, { ...filters, nameFilter: 'updateUser' })).items.map(({ target }) => target).sort()
  for (const filter of ['targetFilter', 'textFilter']) {
    expect(await found({ [filter]: 'ANNA@whole.example' })).toEqual(['anna@whole.example'])
    expect(await found({ [filter]: 'anna@whole.example super@portal.example' })).toEqual(
      filter === 'textFilter' ? ['anna@whole.example'] : [],
    )
    for (const part of ['nna@whole.example', 'anna@whole', 'whole.example'])
      expect([part, await found({ [filter]: part })]).toEqual([part, emails.toSorted()])
  }
  expect(await found({ actorFilter: 'anna@whole.example' })).toEqual([])
})

test('a label as long as can be is written, found and sorted', async () => {
  const letters = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('')
  await portal.system.pool.query(
    `insert into audit_events (id, name, target, changes, created_at) values ($1, 'unknown', $2, '[]', $3)`,
    [newId(), letters.repeat(10), portal.now()],
  )
  expect((await list(superUser, { textFilter: letters.slice(5, 12) })).totalCount).toBe(1)
  const byTarget = (await list(superUser, { sort: 'target', sortDirection: 'desc', nameFilter: 'unknown' })).items
  expect(byTarget.map(({ target }) => target)).toEqual([letters.repeat(10)])
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
  expect(labels(await list(superUser, { ...all, textFilter: second }))).toEqual([`${admin.email} inviteUser ${second}`])
  const both = `${first} ${admin.email}`
  expect(labels(await list(superUser, { ...all, textFilter: both }))).toEqual([`${admin.email} inviteUser ${first}`])
  expect((await list(superUser, { ...all, textFilter: '_' })).items).toHaveLength(0)
  expect(labels(await list(superUser, { ...all, from: later }))).toEqual([`${admin.email} inviteUser ${second}`])
  expect(labels(await list(superUser, { ...all, from: start, until: later }))).toEqual([
    `${admin.email} inviteUser ${first}`,
  ])
  expect((await list(superUser, { organizationFilter: newId() })).totalCount).toBe(0)
})

test('a super user reads changes apart from sign-ins', async () => {
  const { organizationId } = await portal.organization()
  const person = await portal.person({ email: 'kind@portal.example' })
  await portal.signedIn(person)
  await superUser.put('/api/users', { accountId: person.accountId, firstName: 'Kim' })
  const names = async (filters: Record<string, string>) =>
    (await list(superUser, { targetFilter: 'kind@portal.example', ...filters })).items.map(({ name }) => name)
  expect(await names({ kindFilter: 'signIns' })).toEqual(['loginSuccess'])
  expect(await names({ kindFilter: 'changes' })).toEqual(['updateUser'])
  expect((await names({})).sort()).toEqual(['loginSuccess', 'updateUser'])
  expect(
    await names({ kindFilter: 'changes', nameFilter: 'loginSuccess', organizationFilter: organizationId }),
  ).toEqual([])
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

test('of more events than are counted, the list says that there are more, and each page has its events', async () => {
  const { db, pool } = portal.system
  await pool.query(
    `insert into audit_events (id, name, target, changes, created_at)
     select gen_random_uuid(), 'updateService', 'Flood ' || n % 7, '[]', $1::timestamptz + n * interval '1 second'
     from generate_series(1, $2) as n`,
    [portal.now(), maxCounted + 5],
  )
  await sealAuditEvents(db)
  const page = (filters: Record<string, string>) => list(superUser, { targetFilter: 'flood', ...filters })
  const last = String(maxCounted / 10 + 1)
  for (const sort of ['createdAt', 'target']) {
    const { totalCount, hasMore, items } = await page({ sort, page: last })
    expect([totalCount, hasMore, items.length]).toEqual([maxCounted, true, 5])
    expect(await page({ sort })).toMatchObject({ totalCount: maxCounted, hasMore: true })
    expect(await page({ sort, page: '2000' })).toMatchObject({ hasMore: true, items: [] })
  }
  const until = new Date(portal.now().getTime() + maxCounted * 1000).toISOString()
  const fewer = await page({ until, page: String(maxCounted / 10) })
  expect([fewer.totalCount, fewer.hasMore, fewer.items.length]).toEqual([maxCounted - 1, false, 9])
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
  })

  test('does not learn when a person of several organisations, or a super user, signs in, fails to, or signs out; that person does', async () => {
    const [own, other] = [
      await invitationsOf(portal).organizationWithAdmin(),
      await invitationsOf(portal).organizationWithAdmin(),
    ]
    const [alone, operator] = [await portal.person(), await portal.person({ superUser: true })]
    for (const { accountId } of [alone, operator, other.admin]) await portal.join(accountId, own.organizationId)
    for (const person of [alone, operator, other.admin]) {
      await signIn(portal.browser(), person.email, 'Wrong-password-7')
      await (await portal.signedIn(person)).post('/logout')
    }
    const namesOf = async (browser: Client, { email }: { email: string }) => {
      const { items, totalCount } = await list(browser, { targetFilter: email })
      expect(totalCount).toBe(items.length)
      return new Set(items.map(({ name }) => name))
    }
    const uses = new Set(['loginSuccess', 'loginFailure', 'logout'])
    expect(await namesOf(own.browser, alone)).toEqual(uses)
    expect(await namesOf(own.browser, other.admin)).toEqual(new Set())
    // Else such a member would differ from one of several organisations by that.
    expect(await namesOf(own.browser, operator)).toEqual(new Set())
    const file = await own.browser.get('/api/audit-events/export')
    expect(file.body).not.toContain(other.admin.email)
    for (const { id, name } of (await list(superUser, { targetFilter: other.admin.email })).items)
      expect([name, (await own.browser.get(`/api/audit-events/${id}`)).statusCode]).toEqual([name, 404])
    expect(await namesOf(superUser, other.admin)).toEqual(uses)
    expect(await namesOf(await portal.signedIn(other.admin), other.admin)).toEqual(uses)
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
    const changesFor = async (browser: Client) =>
      Promise.all((await list(browser, filters)).items.map(async (event) => (await read(browser, event)).changes))
    const ofPerson = [{ property: 'firstName', previousValue: 'Anna', newValue: 'Anja' }]
    const ofRole = [{ property: 'organizations', previousValue: own.name, newValue: `${own.name} (organizationAdmin)` }]
    const seen = await changesFor(own.browser)
    expect(seen).toHaveLength(2)
    expect(seen).toEqual(expect.arrayContaining([ofPerson, ofRole]))
    const all = await changesFor(superUser)
    expect(all).toHaveLength(3)
    expect(JSON.stringify(all)).toContain('Secret customer AB')
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
    const renamed = await (await portal.signedIn(shared)).put('/api/profile', { firstName: 'Sara', lastName: 'Shared' })
    expect(renamed.statusCode).toBe(200)
    const filters = { targetFilter: shared.email }
    expect((await list(own.browser, { ...filters, organizationFilter: other.organizationId })).totalCount).toBe(0)
    expect((await list(own.browser, { ...filters, organizationFilter: own.organizationId })).totalCount).toBe(1)
    const actors = (await list(own.browser, { ...filters, sort: 'actor' })).items.map(({ actor }) => actor)
    expect(actors).toEqual([shared.email])
    expect((await list(own.browser, { ...filters, actorFilter: other.admin.email })).totalCount).toBe(0)
    expect((await list(other.browser, { ...filters, actorFilter: other.admin.email })).totalCount).toBe(1)
  })

  test('learns nothing by free text, names or ids of what is out of sight', async () => {
    const [own, other] = [
      await invitationsOf(portal).organizationWithAdmin(),
      await invitationsOf(portal).organizationWithAdmin(),
    ]
    const leaver = await portal.person({ firstName: 'Lovisa', lastName: 'Leaver' })
    for (const { organizationId } of [own, other]) await portal.join(leaver.accountId, organizationId)
    const editor = await portal.person({ superUser: true, firstName: 'Operating', lastName: 'Person' })
    const operator = await portal.signedIn(editor)
    await operator.put('/api/users', { accountId: leaver.accountId, lastName: 'Goer' })
    const about = { targetIdFilter: leaver.accountId }
    const [event] = (await list(own.browser, about)).items
    expect(event).toMatchObject({ name: 'updateUser', actor: null, actorName: null, targetName: 'Lovisa Leaver' })
    expect(await read(own.browser, event as AuditEvent)).toMatchObject({
      actorLink: null,
      targetLink: { kind: 'user', id: leaver.accountId },
    })
    for (const textFilter of [editor.email, 'operating', 'Operating Person'])
      expect((await list(own.browser, { ...about, textFilter })).totalCount).toBe(0)
    expect((await list(own.browser, { ...about, textFilter: 'lovisa goer' })).totalCount).toBe(1)

    // Somebody who has left is still found by address; how they are called now is none of this admin's business.
    expect(
      (await own.browser.delete(`/api/users/${leaver.accountId}/organization/${own.organizationId}`)).statusCode,
    ).toBe(204)
    expect(
      (await operator.put('/api/users', { accountId: leaver.accountId, lastName: 'Secretly-Married' })).statusCode,
    ).toBe(200)
    expect((await list(own.browser, { textFilter: 'secretly' })).totalCount).toBe(0)
    expect((await list(superUser, { textFilter: 'secretly' })).totalCount).toBeGreaterThan(0)
    const left = (await list(own.browser, { textFilter: leaver.email })).items
    expect(left.map(({ name }) => name)).toEqual(['removeUser', 'updateUser'])
    expect(await read(own.browser, left[0] as AuditEvent)).toMatchObject({ targetLink: null })

    const { serviceId } = await portal.service()
    await operator.put('/api/services', { serviceId, name: `Hidden ${serviceId}` })
    for (const filters of [
      { targetIdFilter: serviceId },
      { textFilter: serviceId },
      { targetIdFilter: other.organizationId },
    ])
      expect((await list(own.browser, filters)).totalCount).toBe(0)
  })
})
