import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleAtOnce } from '#contract/access-reviews/access-reviews.ts'
import type { ReviewPerson, ReviewRow } from '#contract/access-reviews/review-answers.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createAccessReviewsJob } from './access-reviews.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60', ITEMS_PER_PAGE: '100' })
})
afterAll(() => portal.close())

/** An organisation with an admin, and two people with a service. */
async function place() {
  const { organizationId, name } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const [admin, keeps, leaves] = [
    await portal.person({ lastName: 'Admin' }),
    await portal.person({ firstName: 'Åsa', lastName: 'Alm' }),
    await portal.person({ lastName: 'Berg' }),
  ]
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  for (const { accountId } of [keeps, leaves]) {
    await portal.join(accountId, organizationId)
    await portal.assign(accountId, organizationId, serviceId)
  }
  const own = await portal.signedIn(admin)
  const url = `/api/organizations/${organizationId}/access-review`
  return { organizationId, name, serviceId, admin, keeps, leaves, own, url }
}
async function peopleOf(own: Client, url: string, query = ''): Promise<ReviewPerson[]> {
  const answer = await own.get(`${url}${query}`)
  expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([200, expect.any(String)])
  return answer.json().items
}
const rowsOf = async (own: Client, url: string, { email }: Person): Promise<ReviewRow[]> =>
  (await peopleOf(own, url)).find((one) => one.email === email)?.rows ?? []
const rowOf = async (own: Client, url: string, person: Person) => (await rowsOf(own, url, person))[0]
async function decide(own: Client, url: string, person: Person, decision: string | null, from: string | null = null) {
  const rowIds = (await rowsOf(own, url, person)).map(({ rowId }) => rowId)
  return own.post(`${url}/decisions`, { rowIds, from, decision })
}
const eventsOf = async (organizationId: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('targetId', '=', organizationId)
      .where('name', 'like', '%AccessReview')
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ name }) => name)
const services = (accountId: string) =>
  portal.system.db.selectFrom('serviceAssignments').select('serviceId').where('accountId', '=', accountId).execute()

test('an admin decides who keeps which service: nothing ends before the review does, and the report says who decided', async () => {
  const { organizationId, serviceId, admin, keeps, leaves, own, url } = await place()
  const lastUsed = new Date('2026-05-01T10:00:00Z')
  await portal.system.db
    .updateTable('serviceAssignments')
    .set({ lastUsed })
    .where('accountId', '=', keeps.accountId)
    .execute()
  expect((await own.get(url)).json()).toMatchObject({ review: null, items: [], totalCount: 0, whole: true })
  expect((await own.post(url)).statusCode).toBe(204)
  expect((await own.post(url)).json().message).toBe('reviewOpen')
  const { items, review, services: reviewed } = (await own.get(url)).json()
  expect(review).toMatchObject({ total: 2, done: 0, kept: 0, takenBack: 0, finishedAt: null })
  expect(reviewed).toMatchObject([{ serviceId, total: 2, done: 0 }])
  expect(items.map(({ email, rows }: ReviewPerson) => [email, rows.map((row) => row.lastUsed)])).toEqual([
    [keeps.email, [lastUsed.toISOString()]],
    [leaves.email, [null]],
  ])
  expect((await own.get(`${url}?all=true`)).json()).toMatchObject({ itemsPerPage: 2, totalCount: 2, items })
  const finish = (takeBack: number) => own.post(`${url}/finish`, { takeBack })
  expect((await finish(0)).json().message).toBe('reviewUndecided')
  expect((await decide(own, url, keeps, 'keep')).json()).toEqual({ changed: 1 })
  expect((await decide(own, url, leaves, 'takeBack')).json()).toEqual({ changed: 1 })
  expect(await services(leaves.accountId)).toEqual([{ serviceId }])
  expect((await own.get(url)).json().review).toMatchObject({ done: 2, kept: 1, takenBack: 1 })
  // Not what the admin has seen.
  expect((await finish(0)).json().message).toBe('reviewChanged')
  expect((await finish(1)).json()).toEqual({ left: 0 })
  expect(await services(leaves.accountId)).toEqual([])
  expect(await services(keeps.accountId)).toEqual([{ serviceId }])
  const after = (await own.get(url)).json()
  expect(after.review).toMatchObject({ finishedBy: admin.email })
  expect(new Date(after.nextAt).getTime()).toBeGreaterThan(portal.now().getTime() + 180 * 24 * 3_600_000)
  const report = await own.get(`${url}/report`)
  expect(report.headers['content-type']).toContain('text/csv')
  const lines = report.body.split('\r\n')
  expect(lines.find((line) => line.includes(leaves.email))).toContain(`;Borttagen;${admin.email};`)
  expect(lines.find((line) => line.includes(keeps.email))).toContain(`;Behålls;${admin.email};`)
  expect(await eventsOf(organizationId)).toEqual([
    'startAccessReview',
    'decideAccessReview',
    'decideAccessReview',
    'finishAccessReview',
    'exportAccessReview',
  ])
  const withdrawn = portal.system.db.selectFrom('auditEvents').select('name').where('targetId', '=', leaves.accountId)
  expect((await withdrawn.execute()).map(({ name }) => name)).toContain('updateUserServices')
})

/** People who are left after the first portion. */
const rest = 5

test('the end of a large review comes in portions: decisions are closed, a colleague may go on with it, and one event counts', async () => {
  const { organizationId, serviceId, keeps, leaves, own, url } = await place()
  const crowd = await Promise.all(Array.from({ length: peopleAtOnce + rest - 1 }, () => portal.person()))
  await Promise.all(crowd.map(({ accountId }) => portal.join(accountId, organizationId)))
  await Promise.all(crowd.map(({ accountId }) => portal.assign(accountId, organizationId, serviceId)))
  await own.post(url)
  expect((await own.post(`${url}/reviewers`, { serviceId, accountId: keeps.accountId })).statusCode).toBe(204)
  await decide(own, url, keeps, 'keep')
  const rowIds = (await peopleOf(own, `${url}?all=true&decision=undecided`)).flatMap(({ rows }) =>
    rows.map(({ rowId }) => rowId),
  )
  await own.post(`${url}/decisions`, { rowIds, from: null, decision: 'takeBack' })
  const left = async () =>
    (await portal.system.db.selectFrom('serviceAssignments').where('serviceId', '=', serviceId).selectAll().execute())
      .length - 1
  expect(await left()).toBe(peopleAtOnce + rest)
  expect((await own.post(`${url}/finish`, { takeBack: peopleAtOnce + rest })).json()).toEqual({ left: rest })
  expect(await left()).toBe(rest)

  // The page was closed here. Nothing is decided any more, and a member who was asked is asked no longer.
  const { review } = (await own.get(url)).json()
  expect(review).toMatchObject({ finishedAt: null, finishedBy: null, takenBack: peopleAtOnce + rest })
  expect(review.endingAt).toBe(portal.now().toISOString())
  const closed = [
    await decide(own, url, keeps, 'takeBack', 'keep'),
    await own.post(`${url}/at-once`, { accountId: leaves.accountId, rowIds: rowIds.slice(0, 1) }),
    await own.post(`${url}/reviewers`, { serviceId, accountId: leaves.accountId }),
    await own.post(`${url}/reminder`),
  ]
  expect(closed.map((answer) => answer.json().message)).toEqual(Array(4).fill('reviewEnding'))
  const asked = await portal.signedIn(keeps)
  expect([(await asked.get('/api/access-reviews/asked')).json(), (await asked.get(url)).statusCode]).toEqual([[], 404])
  expect((await own.post(url)).json().message).toBe('reviewOpen')
  expect(await eventsOf(organizationId)).not.toContain('finishAccessReview')

  const colleague = await portal.person()
  await portal.join(colleague.accountId, organizationId, 'organizationAdmin')
  const theirs = await portal.signedIn(colleague)
  const together = await Promise.all([own, theirs].map((one) => one.post(`${url}/finish`, { takeBack: rest })))
  expect(together.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await left()).toBe(0)
  expect(await services(keeps.accountId)).toHaveLength(1)
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select('changes')
    .where('targetId', '=', organizationId)
    .where('name', '=', 'finishAccessReview')
    .execute()
  const counts = { rows: peopleAtOnce + rest + 1, kept: 1, takenBack: peopleAtOnce + rest }
  const changes = Object.entries(counts).map(([property, count]) => ({ property, newValue: String(count) }))
  expect(events).toMatchObject([{ changes }])
  const withdrawn = portal.system.db
    .selectFrom('auditEvents')
    .select('targetId')
    .where('name', '=', 'updateUserServices')
    .where(
      'targetId',
      'in',
      [leaves, ...crowd].map(({ accountId }) => accountId),
    )
  expect(await withdrawn.execute()).toHaveLength(peopleAtOnce + rest)
})

test('a decision can be changed and taken back until the end, and never overwrites the decision of a colleague', async () => {
  const { keeps, own, url, organizationId, serviceId } = await place()
  await own.post(url)
  await decide(own, url, keeps, 'takeBack')
  expect((await decide(own, url, keeps, 'keep', 'takeBack')).json()).toEqual({ changed: 1 })
  const colleague = await portal.person()
  await portal.join(colleague.accountId, organizationId, 'organizationAdmin')
  const theirs = await portal.signedIn(colleague)
  // The colleague still sees it undecided.
  expect((await decide(theirs, url, keeps, 'takeBack', null)).json()).toEqual({ changed: 0 })
  expect(await rowOf(own, url, keeps)).toMatchObject({ decision: 'keep' })
  expect((await decide(theirs, url, keeps, 'takeBack', 'keep')).json()).toEqual({ changed: 1 })
  expect(await rowOf(own, url, keeps)).toMatchObject({ decision: 'takeBack', decidedBy: colleague.email })
  await decide(own, url, keeps, null, 'takeBack')
  expect(await rowOf(own, url, keeps)).toMatchObject({ decision: null, decidedBy: null })
  expect(await services(keeps.accountId)).toEqual([{ serviceId }])
})

test('services of one person are taken back at once, those of another are not, and that is final', async () => {
  const { keeps, leaves, own, url, serviceId } = await place()
  await own.post(url)
  const rowIds = (await peopleOf(own, url)).flatMap(({ rows }) => rows.map(({ rowId }) => rowId))
  const atOnce = await own.post(`${url}/at-once`, { accountId: leaves.accountId, rowIds })
  expect(atOnce.statusCode).toBe(204)
  expect(await services(leaves.accountId)).toEqual([])
  expect(await services(keeps.accountId)).toEqual([{ serviceId }])
  expect(await rowOf(own, url, leaves)).toMatchObject({ decision: 'takeBack', present: false })
  expect(await rowOf(own, url, keeps)).toMatchObject({ decision: null, present: true })
  // Somebody gives it back: the review has decided about the access that ended.
  await portal.assign(leaves.accountId, (await ids(url)).organizationId, serviceId)
  expect((await decide(own, url, leaves, 'keep', 'takeBack')).json()).toEqual({ changed: 0 })
  await decide(own, url, keeps, 'keep')
  expect((await own.post(`${url}/finish`, { takeBack: 0 })).statusCode).toBe(200)
  expect(await services(leaves.accountId)).toEqual([{ serviceId }])
})
const ids = async (url: string) => ({ organizationId: url.split('/')[3] ?? '' })

test('a service that somebody lost elsewhere needs no decision', async () => {
  const { keeps, leaves, own, url, organizationId } = await place()
  await own.post(url)
  await decide(own, url, leaves, 'takeBack')
  const path = `/api/users/${leaves.accountId}/organization/${organizationId}/service`
  expect((await own.post(path, { services: [] })).statusCode).toBe(204)
  expect(await rowOf(own, url, leaves)).toMatchObject({ present: false, decision: 'takeBack' })
  await decide(own, url, keeps, 'keep')
  expect((await own.post(`${url}/finish`, { takeBack: 0 })).statusCode).toBe(200)
})

test('the list finds people by service, role, last use, decision and name, as guests and as admins', async () => {
  const { organizationId, serviceId, admin, keeps, leaves, own, url } = await place()
  const { serviceId: other } = await portal.service()
  await portal.offer(organizationId, other)
  await portal.assign(admin.accountId, organizationId, other)
  await portal.assign(keeps.accountId, organizationId, other, 'serviceAdmin')
  const daysAgo = (days: number) => new Date(portal.now().getTime() - days * 24 * 3_600_000)
  const used = (accountId: string, service: string, lastUsed: Date) =>
    portal.system.db
      .updateTable('serviceAssignments')
      .set({ lastUsed })
      .where('accountId', '=', accountId)
      .where('serviceId', '=', service)
      .execute()
  await used(keeps.accountId, serviceId, daysAgo(10))
  await used(leaves.accountId, serviceId, daysAgo(100))
  await portal.system.db
    .updateTable('memberships')
    .set({ entry: 'guest' })
    .where('accountId', '=', leaves.accountId)
    .execute()
  await own.post(url)
  await decide(own, url, leaves, 'keep')
  const found = async (query: string) =>
    (await peopleOf(own, url, query)).map(({ email, rows }) => [email, rows.length] as const)
  expect(await found(`?serviceId=${serviceId}`)).toEqual([
    [keeps.email, 1],
    [leaves.email, 1],
  ])
  expect(await found('?role=serviceAdmin')).toEqual([[keeps.email, 1]])
  expect(await found('?lastUse=within30Days')).toEqual([[keeps.email, 1]])
  expect(await found('?lastUse=over90Days')).toEqual([[leaves.email, 1]])
  expect(await found('?lastUse=over180Days')).toEqual([])
  expect(await found('?lastUse=unknown')).toEqual([
    [admin.email, 1],
    [keeps.email, 1],
  ])
  expect(await found('?people=guests')).toEqual([[leaves.email, 1]])
  expect(await found('?people=organizationAdmins')).toEqual([[admin.email, 1]])
  expect(await found('?decision=keep')).toEqual([[leaves.email, 1]])
  expect(await found('?decision=undecided')).toEqual([
    [admin.email, 1],
    [keeps.email, 2],
  ])
  expect(await found('?searchQuery=%C3%A5sa%20ALM')).toEqual([[keeps.email, 2]])
  expect((await own.get(`${url}?decision=undecided`)).json()).toMatchObject({ totalCount: 2, matching: 3 })
  expect((await own.get(`${url}?page=2`)).json()).toMatchObject({ totalCount: 3, matching: 4, items: [] })
})

test("an admin decides nothing of another organisation's review", async () => {
  const [here, there] = [await place(), await place()]
  for (const { own, url } of [here, there]) await own.post(url)
  const rowIds = [(await rowOf(there.own, there.url, there.keeps))?.rowId]
  // Of the own review there is no such row.
  const foreign = await here.own.post(`${here.url}/decisions`, { rowIds, from: null, decision: 'takeBack' })
  expect(foreign.json()).toEqual({ changed: 0 })
  const atOnce = await here.own.post(`${here.url}/at-once`, { accountId: there.keeps.accountId, rowIds })
  expect(atOnce.statusCode).toBe(204)
  expect((await here.own.get(there.url)).statusCode).toBe(404)
  expect(await rowOf(there.own, there.url, there.keeps)).toMatchObject({ decision: null, present: true })
})

test('an admin does not learn when somebody used a service for another organisation that gave it too', async () => {
  const { keeps, leaves, own, url, serviceId, organizationId } = await place()
  const { organizationId: elsewhere } = await portal.organization()
  await portal.offer(elsewhere, serviceId)
  for (const { accountId } of [keeps, leaves]) {
    await portal.join(accountId, elsewhere)
    await portal.assign(accountId, elsewhere, serviceId)
  }
  const open = async (person: Person, search: string) =>
    (await (await portal.signedIn(person)).get(`/launch/${serviceId}${search}`)).statusCode
  expect(await open(keeps, `?organizationId=${elsewhere}`)).toBe(303)
  // Nobody can tell for which of the two.
  expect(await open(keeps, '')).toBe(303)
  expect(await open(leaves, `?organizationId=${organizationId}`)).toBe(303)
  await own.post(url)
  expect(await rowOf(own, url, keeps)).toMatchObject({ lastUsed: null })
  expect(await rowOf(own, url, leaves)).toMatchObject({ lastUsed: portal.now().toISOString() })
  // What is left out is not called "never".
  const report = (await own.get(`${url}/report`)).body.split('\r\n')
  expect(report.find((line) => line.includes(keeps.email))).toContain(';Ingen uppgift;')
})

test('a service that somebody gets again during a review is not taken back by a decision of before', async () => {
  const { organizationId, serviceId, keeps, leaves, own, url } = await place()
  await own.post(url)
  await decide(own, url, keeps, 'keep')
  await decide(own, url, leaves, 'takeBack')
  await portal.system.db.deleteFrom('serviceAssignments').where('accountId', '=', leaves.accountId).execute()
  await portal.assign(leaves.accountId, organizationId, serviceId)
  expect(await rowOf(own, url, leaves)).toMatchObject({ decision: null })
  expect((await own.post(`${url}/finish`, { takeBack: 1 })).json().message).toBe('reviewUndecided')
  await decide(own, url, leaves, 'keep')
  expect((await own.post(`${url}/finish`, { takeBack: 0 })).statusCode).toBeLessThan(300)
  expect(await services(leaves.accountId)).toHaveLength(1)
})

test('the job begins a review when its time has come, once, reminds every two weeks, and super users see what is overdue', async () => {
  const { organizationId, name, admin, own, url } = await place()
  const start = portal.now()
  await portal.system.db
    .updateTable('organizations')
    .set({ createdAt: start })
    .where('organizationId', '=', organizationId)
    .execute()
  const days = (count: number) => new Date(start.getTime() + count * 24 * 3_600_000)
  const run = (now: Date, accessReviewMonths = 6) => {
    const { db, outbox } = portal.system
    return createAccessReviewsJob({ db, outbox, clock: () => now, config: { accessReviewMonths } }).run()
  }
  const mails = async () => (await outboxOf(portal).messagesTo(admin.email)).map(({ values }) => values.state).reverse()
  await run(days(100))
  expect((await own.get(url)).json().review).toBe(null)
  await run(days(190), 0)
  expect((await own.get(url)).json().review).toBe(null)
  await Promise.all([run(days(190)), run(days(190))])
  await run(days(191))
  expect((await own.get(url)).json().review).toMatchObject({ total: 2 })
  expect([await mails(), await eventsOf(organizationId)]).toEqual([['begins'], ['startAccessReview']])
  await run(days(205))
  await run(days(206))
  expect(await mails()).toEqual(['begins', 'waits'])
  const todos = (await own.get(`/api/organizations/${organizationId}/home`)).json().todos
  expect(todos).toMatchObject({ accessReviewRows: 2, overdueAccessReviews: 0 })

  const root = await portal.person({ superUser: true })
  const overdue = async () => {
    const operator = await portal.signedIn(root)
    const { items } = (await operator.get('/api/access-reviews?overdue=true')).json()
    const { todos: all } = (await operator.get('/api/home')).json()
    expect(all.overdueAccessReviews).toBe(items.length)
    return items.filter((one: { organizationId: string }) => one.organizationId === organizationId)
  }
  portal.advance((190 + 29) * 24 * 3600)
  expect(await overdue()).toEqual([])
  portal.advance(2 * 24 * 3600)
  expect(await overdue()).toMatchObject([{ organizationName: name, overdue: true, total: 2, done: 0 }])
})

test('a review shows people as they were when it began, whatever they are called after leaving', async () => {
  const { organizationId, leaves, own, url } = await place()
  await own.post(url)
  await own.post(`/api/organizations/${organizationId}/users/remove`, { accountIds: [leaves.accountId] })
  const later = { firstName: 'Nyfikna', lastName: 'Efteråt', email: 'later@elsewhere.example' }
  await portal.system.db.updateTable('users').set(later).where('accountId', '=', leaves.accountId).execute()
  expect(await peopleOf(own, `${url}?searchQuery=nyfikna`)).toEqual([])
  expect(await peopleOf(own, `${url}?searchQuery=berg`)).toMatchObject([{ email: leaves.email }])
  const report = await own.get(`${url}/report`)
  expect(report.body).toContain(leaves.email)
  for (const word of Object.values(later)) expect(report.body).not.toContain(word)
})

test('what somebody was to keep, and lost with the group of another service, is not said to be kept', async () => {
  const { organizationId, serviceId, keeps, leaves, own, url } = await place()
  const other = await portal.service('Payroll')
  await portal.offer(organizationId, other.serviceId)
  const { groupId } = (
    await own.post('/api/groups', { organizationId, name: 'Both', services: [{ serviceId: other.serviceId }] })
  ).json()
  await own.post(`/api/groups/${groupId}/members`, { accountIds: [leaves.accountId] })
  const both = [serviceId, other.serviceId].map((id) => ({ serviceId: id }))
  await portal.system.db
    .deleteFrom('serviceAssignments')
    .where('accountId', '=', leaves.accountId)
    .where('serviceId', '=', serviceId)
    .execute()
  expect((await own.put('/api/groups', { groupId, services: both })).statusCode).toBe(200)
  expect((await own.post(url)).statusCode).toBe(204)
  await decide(own, url, keeps, 'keep')
  const decideOne = async (id: string, decision: string) => {
    const row = (await rowsOf(own, url, leaves)).find((one) => one.serviceId === id)
    await own.post(`${url}/decisions`, { rowIds: [row?.rowId], from: null, decision })
  }
  await decideOne(serviceId, 'keep')
  await decideOne(other.serviceId, 'takeBack')
  expect((await own.post(`${url}/finish`, { takeBack: 1 })).json()).toEqual({ left: 0 })
  expect(await services(leaves.accountId)).toEqual([])
  const report = (await own.get(`${url}/report`)).body.split('\r\n')
  const said = report
    .filter((line) => line.includes(leaves.email))
    .map((line) => line.split(';')[7]?.replaceAll('"', ''))
  expect(said.sort()).toEqual(['Behölls, men har upphört sedan dess', 'Borttagen'])
  expect((await own.get(url)).json().review).toMatchObject({ kept: 1, takenBack: 1 })
  const { rows } = await portal.system.pool.query(
    "select changes from audit_events where name = 'finishAccessReview' and target_id = $1",
    [organizationId],
  )
  expect(rows[0].changes).toContainEqual({ property: 'kept', previousValue: null, newValue: '1' })
  // What ends after the review is no news of it.
  expect((await own.delete(`/api/services/${serviceId}/${organizationId}/users/${keeps.accountId}`)).statusCode).toBe(
    204,
  )
  expect((await own.get(url)).json().review).toMatchObject({ kept: 1, takenBack: 1 })
})
