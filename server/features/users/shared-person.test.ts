import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userSorts } from '#contract/users/user-filters.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { filteredField, shownOfShared } from './shared-person.ts'

// What an admin sees of a person who also belongs to an organisation out of the admin's reach: one list, in every answer.

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal?.close())

async function scene(own: Parameters<TestApp['person']>[0] = {}) {
  const home = await portal.organization()
  const elsewhere = await portal.organization()
  const service = await portal.service()
  const others = await portal.service()
  for (const { organizationId } of [home, elsewhere]) await portal.offer(organizationId, service.serviceId)
  await portal.offer(elsewhere.organizationId, others.serviceId)
  const admin = await portal.person({ lastName: 'Admin' })
  await portal.join(admin.accountId, home.organizationId, 'organizationAdmin')
  const details = {
    loginMethod: 'bankid',
    phoneNumber: '+46701740605',
    preferredLanguage: 'fr',
    ...own,
  } as const
  const shared = await portal.person({ ...details, firstName: 'Sara', lastName: 'Shared' })
  for (const { organizationId } of [home, elsewhere]) {
    await portal.join(shared.accountId, organizationId)
    await portal.assign(shared.accountId, organizationId, service.serviceId)
  }
  await portal.system.db
    .updateTable('users')
    .set({ maxPassiveDays: 77, lastLogin: portal.now(), lastActive: portal.now() })
    .where('accountId', '=', shared.accountId)
    .execute()
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const there = { home: home.organizationId, elsewhere: elsewhere.organizationId }
  return { ...there, service, others, shared, root, admin, browser: await portal.signedIn(admin) }
}
type Scene = Awaited<ReturnType<typeof scene>>

const peopleOf = (home: string, query = '') => `/api/organizations/${home}/users${query}`
const detailOf = ({ home, shared }: Scene) => `/api/users/${shared.accountId}/organization/${home}/service/-`
const rowIn = async (browser: Client, url: string, accountId: string) =>
  (await browser.get(url)).json().items.find((row: { accountId: string }) => row.accountId === accountId)
const reviewOf = (home: string) => `/api/organizations/${home}/access-review`

/** The reader is active all the time. */
function withoutRowOf({ email }: { email: string }, body: string): string {
  if (!body.startsWith('{'))
    return body
      .split('\r\n')
      .filter((line) => !line.includes(email))
      .join()
  const { items, ...rest } = JSON.parse(body)
  return JSON.stringify({ ...rest, items: items?.filter((row: { email: string }) => row.email !== email) })
}

/** Everything that the admin reads of the person, but for the audit log. */
async function everythingOf(here: Scene) {
  const { home, shared, service, admin, browser } = here
  const urls = [
    peopleOf(home),
    peopleOf(home, '?sort=lastName'),
    peopleOf(home, '?searchQuery=shared'),
    `/api/services/${service.serviceId}/${home}/users`,
    detailOf(here),
    `/api/users/${shared.accountId}/services`,
    `/api/users/${shared.accountId}/${home}/services`,
    `/api/organizations/${home}/passive-preview`,
    `/api/organizations/${home}/users/export`,
    `${reviewOf(home)}?all=true`,
    `${reviewOf(home)}/report`,
    ...['loginMethod=local', 'loginMethod=bankid', 'lastActiveBefore=2099-01-01', 'status=active'].map((filter) =>
      peopleOf(home, `?${filter}`),
    ),
  ]
  const answers: Record<string, string> = {}
  for (const url of urls) {
    const { statusCode, body } = await browser.get(url)
    expect([url, statusCode]).toEqual([url, 200])
    answers[url] = withoutRowOf(admin, body)
  }
  return answers
}

test('list, detail, file, filters and the list of a service show the same of a shared person, field by field', async () => {
  const here = await scene({ ssn: '198112189876' })
  const { home, shared, service, browser } = here
  const detail = (await browser.get(detailOf(here))).json()
  const row = await rowIn(browser, peopleOf(home), shared.accountId)
  const ofService = await rowIn(browser, `/api/services/${service.serviceId}/${home}/users`, shared.accountId)
  for (const [field, shown] of Object.entries(shownOfShared))
    for (const [name, answer] of Object.entries({ detail, row, ofService })) {
      if (!shown && field in answer) expect([name, field, answer[field]]).toEqual([name, field, null])
      const known = ['email', 'firstName', 'lastName', 'pending', 'awaitsSignIn', 'passive', 'emailRefusedAt']
      if (known.includes(field)) expect([name, field, answer[field]]).toEqual([name, field, detail[field]])
    }
  const idsOf = (list: { organizationId: string }[]) => list.map(({ organizationId }) => organizationId)
  for (const { organizations, services } of [detail, row, ofService]) {
    expect(idsOf(organizations)).toEqual([home])
    expect(services.map(({ serviceId }: { serviceId: string }) => serviceId)).toEqual([service.serviceId])
  }
  const [header = '', ...lines] = (await browser.get(peopleOf(home, '/export'))).body.replaceAll('"', '').split('\r\n')
  const cells = lines.find((line) => line.includes(shared.email))?.split(';') ?? []
  const filled = header.split(';').filter((_, index) => cells[index])
  expect(filled).toHaveLength(7)
  expect(cells).not.toContain('+46701740605')
  for (const filter of ['loginMethod=bankid', 'lastActiveBefore=2099-01-01'])
    expect(await rowIn(browser, peopleOf(home, `?${filter}`), shared.accountId)).toBe(undefined)
  expect(await rowIn(browser, peopleOf(home, '?status=active'), shared.accountId)).toBeDefined()
  for (const { groups } of [row, ofService]) expect(groups).toEqual([])
  for (const field of userSorts) expect(shownOfShared[field]).toBe(true)
  expect(Object.keys(filteredField)).toHaveLength(7)
})

test('a member who operates the portal looks like a person of several organisations', async () => {
  const here = await scene()
  const { home, shared, browser, service } = here
  const operator = await portal.person({ superUser: true, loginMethod: 'local2FA', phoneNumber: '+46701740605' })
  await portal.join(operator.accountId, home)
  await portal.assign(operator.accountId, home, service.serviceId)
  const shapeOf = (answer: Record<string, unknown>) =>
    Object.entries(answer).map(([field, value]) => [field, value === null, typeof value === 'boolean' ? value : '-'])
  const seen = async (accountId: string) => ({
    row: shapeOf(await rowIn(browser, peopleOf(home), accountId)),
    ofService: shapeOf(await rowIn(browser, `/api/services/${service.serviceId}/${home}/users`, accountId)),
    detail: shapeOf((await browser.get(`/api/users/${accountId}/organization/${home}/service/-`)).json()),
    byMethod: await rowIn(browser, peopleOf(home, '?loginMethod=local2FA'), accountId),
  })
  expect(await seen(operator.accountId)).toEqual(await seen(shared.accountId))
})

test('nothing that happens at another organisation, or to the account, moves what an admin reads of the person', async () => {
  const here = await scene({ loginMethod: 'local' })
  const { home, elsewhere, shared, service, others, root, browser } = here
  const { accountId } = shared
  await browser.post(reviewOf(home))
  const before = await everythingOf(here)
  // Within the ten minutes for which the sign-ins are fresh.
  portal.advance(9 * 60)
  const own = await portal.signedIn(shared)
  expect((await own.get(`/launch/${service.serviceId}?organizationId=${elsewhere}`)).statusCode).toBe(303)
  await own.put(`/api/service-preferences/${service.serviceId}`, { favourite: true })
  const [admin, regular] = ['organizationAdmin', 'regular']
  const changes = {
    loginMethod: 'local2FA',
    phoneNumber: '+46701740699',
    preferredLanguage: 'fi',
    maxPassiveDays: 33,
    ssn: null,
    organizations: [
      { organizationId: elsewhere, userRole: admin },
      { organizationId: home, userRole: regular },
    ],
    services: [
      { organizationId: home, serviceId: service.serviceId, userRole: regular },
      { organizationId: elsewhere, serviceId: others.serviceId, userRole: regular },
    ],
  }
  const changed = await root.put('/api/users', { accountId, ...changes })
  expect([changed.statusCode, changed.json().loginMethod]).toEqual([200, 'local2FA'])
  const theirs = { services: [{ serviceId: service.serviceId, userRole: regular }], userRole: regular }
  expect((await root.post(`/api/users/${accountId}/organization/${elsewhere}/service`, theirs)).statusCode).toBe(204)
  // A new review copies what is known at its beginning.
  const organization = portal.system.db.deleteFrom('accessReviews').where('organizationId', '=', home)
  await organization.execute()
  await browser.post(reviewOf(home))
  const withoutReview = (answers: Record<string, string>) =>
    Object.entries(answers).filter(([url]) => url !== `${reviewOf(home)}?all=true`)
  const after = await everythingOf(here)
  expect(withoutReview(after)).toEqual(withoutReview(before))
  const [person] = JSON.parse(after[`${reviewOf(home)}?all=true`] ?? '').items
  expect(person).toMatchObject({ email: shared.email, rows: [{ lastUsed: null }] })
})

test('a change at the own organisation moves the version, and a form from before is refused', async () => {
  const here = await scene()
  const { home, elsewhere, shared, service, root, browser } = here
  const { version } = (await browser.get(detailOf(here))).json()
  const services = [{ serviceId: service.serviceId, userRole: 'serviceAdmin' }]
  const save = (input: object, by = browser) =>
    by.post(`/api/users/${shared.accountId}/organization/${home}/service`, input)
  await root.post(`/api/users/${shared.accountId}/organization/${elsewhere}/service`, { services: [] })
  expect((await save({ version, services })).statusCode).toBe(204)
  expect((await browser.get(detailOf(here))).json().version).toBe(version + 1)
  const stale = await save({ version, services: [] })
  expect([stale.statusCode, stale.json().message]).toEqual([409, 'changedByOthers'])
  // What a super user changes there counts too.
  const organizations = [home, elsewhere].map((organizationId) => ({ organizationId, userRole: 'regular' }))
  await root.put('/api/users', { accountId: shared.accountId, organizations, services: [] })
  expect((await save({ version: version + 1, services })).statusCode).toBe(409)
  expect((await save({ version: version + 2, services })).statusCode).toBe(204)
})

test('an admin who asks for a new password does not learn how the person signs in', async () => {
  const { shared, browser } = await scene()
  expect((await browser.post('/api/initiate-password-reset', { email: shared.email })).statusCode).toBe(204)
  const [mail] = await outboxOf(portal).messagesTo(shared.email)
  expect(mail).toMatchObject({ template: 'no-password' })
})

/** The audit log of the organisation, as this admin reads it. */
const eventsFor = async (
  browser: Client,
  email: string,
): Promise<{ name: string; changes: { property: string }[] }[]> =>
  (await browser.get(`/api/audit-events?targetFilter=${encodeURIComponent(email)}`)).json().items

describe('the audit log', () => {
  test('says nothing of what happened at another organisation, or to the account', async () => {
    const here = await scene({ loginMethod: 'local', ssn: '198112189876' })
    const { home, elsewhere, shared, service, others, root, browser } = here
    const { accountId, email } = shared
    const theirs = await portal.person({ lastName: 'Of elsewhere' })
    await portal.join(theirs.accountId, elsewhere, 'organizationAdmin')
    const there = await portal.signedIn(theirs)
    const own = await portal.signedIn(shared)
    const before = await eventsFor(browser, email)
    const missing = await portal.service()
    await portal.offer(elsewhere, missing.serviceId)
    const requestable = portal.system.db.updateTable('services').set({ requestable: true })
    await requestable.where('serviceId', '=', missing.serviceId).execute()
    const rolesThere = [
      { organizationId: home, userRole: 'regular' },
      { organizationId: elsewhere, userRole: 'organizationAdmin' },
    ]
    const done = [
      await own.post('/api/access-requests', { organizationId: elsewhere, serviceId: missing.serviceId }),
      await root.put('/api/users', {
        accountId,
        phoneNumber: '+46701740699',
        preferredLanguage: 'fi',
        maxPassiveDays: 33,
      }),
      await root.put('/api/users', { accountId, organizations: rolesThere }),
      await root.post(`/api/users/${accountId}/ssn/reveal`),
      await there.post('/api/initiate-password-reset', { email }),
      await there.post(`/api/users/${accountId}/last-active/now`),
      await there.post(`/api/users/${accountId}/organization/${elsewhere}/service`, {
        services: [{ serviceId: others.serviceId, userRole: 'regular' }],
      }),
      await own.put('/api/profile', { preferredLanguage: 'fr' }),
      await own.post('/api/profile/data', {}),
      await own.get('/api/audit-events/export'),
    ]
    for (const { statusCode, body } of done) expect([statusCode < 300, body]).toEqual([true, body])
    expect(await eventsFor(browser, email)).toEqual(before)
    const all = (await browser.get('/api/audit-events')).json().items
    expect(all.filter(({ actor }: { actor: string }) => actor === email)).toEqual([])
    // What changes at home, and what everybody knows, still stands there.
    await root.put('/api/users', {
      accountId,
      firstName: 'Sarah',
      phoneNumber: '+46701740605',
      organizations: rolesThere.map((one) => ({ ...one, userRole: 'organizationAdmin' })),
      services: [{ organizationId: home, serviceId: service.serviceId, userRole: 'serviceAdmin' }],
    })
    const [roles, name, ...more] = await eventsFor(browser, email)
    const propertiesOf = (event: typeof roles) => event?.changes.map(({ property }) => property)
    expect([propertiesOf(roles), propertiesOf(name), more]).toEqual([
      ['organizations', 'services'],
      ['firstName'],
      before,
    ])
    expect(JSON.stringify([roles, name])).not.toContain('elsewhere')
    expect((await browser.post('/api/initiate-password-reset', { email })).statusCode).toBe(204)
    expect((await eventsFor(browser, email))[0]).toMatchObject({ name: 'requestPasswordReset' })
  })

  test('names a role given to a member who operates the portal, and nothing else of that account', async () => {
    const { home, browser, root } = await scene()
    const { accountId, email } = await portal.person({ superUser: true })
    await portal.join(accountId, home)
    await root.put('/api/users', { accountId, phoneNumber: '+46701740699' })
    expect(await eventsFor(browser, email)).toEqual([])
    await root.put('/api/users', {
      accountId,
      phoneNumber: '+46701740605',
      organizations: [{ organizationId: home, userRole: 'organizationAdmin' }],
    })
    const events = await eventsFor(browser, email)
    expect(events.map(({ changes }) => changes.map(({ property }) => property))).toEqual([['organizations']])
  })

  test('says the same of a person of one organisation as before', async () => {
    const here = await scene({ loginMethod: 'local' })
    const { organizationId } = await portal.organization()
    const [admin, person] = [await portal.person(), await portal.person({ loginMethod: 'local' })]
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    await portal.join(person.accountId, organizationId)
    const browser = await portal.signedIn(admin)
    await here.root.put('/api/users', {
      accountId: person.accountId,
      phoneNumber: '+46701740699',
      organizations: [{ organizationId, userRole: 'organizationAdmin' }],
    })
    const [event, ...more] = await eventsFor(browser, person.email)
    expect(event?.changes.map(({ property }) => property)).toEqual(['phoneNumber', 'organizations'])
    expect(more).toEqual([])
  })
})
