import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createAccessReviewsJob } from './access-reviews.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

/** An organisation with an admin, and two people with a service. */
async function place() {
  const { organizationId, name } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const [admin, keeps, leaves] = [
    await portal.person({ lastName: 'Admin' }),
    await portal.person({ lastName: 'Alm' }),
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
const rowsOf = async (own: Client, url: string) =>
  (await own.get(url)).json().items as { rowId: string; email: string; decision: string | null; present: boolean }[]
const rowOf = async (own: Client, url: string, { email }: Person) =>
  (await rowsOf(own, url)).find((row) => row.email === email)
const eventsOf = async (organizationId: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'changes'])
      .where('targetId', '=', organizationId)
      .where('name', 'like', '%AccessReview')
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ name }) => name)
const services = (accountId: string) =>
  portal.system.db.selectFrom('serviceAssignments').select('serviceId').where('accountId', '=', accountId).execute()

test('an admin reviews who keeps which service: what is taken back is gone, and the report says who decided', async () => {
  const { organizationId, serviceId, admin, keeps, leaves, own, url } = await place()
  const lastUsed = new Date('2026-05-01T10:00:00Z')
  await portal.system.db
    .updateTable('serviceAssignments')
    .set({ lastUsed })
    .where('accountId', '=', keeps.accountId)
    .execute()
  expect((await own.get(url)).json()).toMatchObject({ review: null, items: [], totalCount: 0 })
  expect((await own.post(url)).statusCode).toBe(204)
  expect((await own.post(url)).json().message).toBe('reviewOpen')
  const { items, review } = (await own.get(url)).json()
  expect(review).toMatchObject({ total: 2, done: 0, finishedAt: null })
  expect(items.map(({ email, lastUsed: at }: { email: string; lastUsed: string }) => [email, at])).toEqual([
    [keeps.email, lastUsed.toISOString()],
    [leaves.email, null],
  ])
  expect((await own.get(`${url}?all=true`)).json()).toMatchObject({ itemsPerPage: 2, totalCount: 2, items })
  expect((await own.post(`${url}/finish`)).json().message).toBe('reviewUndecided')
  const decide = async (person: Person, decision: string) => {
    const row = await rowOf(own, url, person)
    return own.post(`${url}/decisions`, { rowIds: [row?.rowId], decision })
  }
  expect((await decide(keeps, 'keep')).statusCode).toBe(204)
  expect((await decide(leaves, 'takeBack')).statusCode).toBe(204)
  expect(await services(leaves.accountId)).toEqual([])
  expect(await services(keeps.accountId)).toEqual([{ serviceId }])
  expect((await own.get(url)).json().review).toMatchObject({ done: 2 })
  expect((await own.post(`${url}/finish`)).statusCode).toBe(204)
  const after = (await own.get(url)).json()
  expect(after.review).toMatchObject({ finishedBy: admin.email })
  expect(new Date(after.nextAt).getTime()).toBeGreaterThan(portal.now().getTime() + 180 * 24 * 3_600_000)
  const report = await own.get(`${url}/report`)
  expect(report.headers['content-type']).toContain('text/csv')
  expect(report.body).toContain(leaves.email)
  expect(report.body.split(admin.email)).toHaveLength(3)
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

test('a service that somebody lost elsewhere needs no decision, and a second decision changes nothing', async () => {
  const { keeps, leaves, own, url, organizationId, serviceId } = await place()
  await own.post(url)
  const path = `/api/users/${leaves.accountId}/organization/${organizationId}/service`
  expect((await own.post(path, { services: [] })).statusCode).toBe(204)
  expect(await rowOf(own, url, leaves)).toMatchObject({ present: false, decision: null })
  const rowIds = [(await rowOf(own, url, keeps))?.rowId]
  await own.post(`${url}/decisions`, { rowIds, decision: 'keep' })
  expect((await own.post(`${url}/decisions`, { rowIds, decision: 'takeBack' })).statusCode).toBe(204)
  expect(await rowOf(own, url, keeps)).toMatchObject({ decision: 'keep' })
  expect(await services(keeps.accountId)).toEqual([{ serviceId }])
  expect((await own.post(`${url}/finish`)).statusCode).toBe(204)
})

test("an admin decides nothing of another organisation's review", async () => {
  const [here, there] = [await place(), await place()]
  for (const { own, url } of [here, there]) await own.post(url)
  const row = await rowOf(there.own, there.url, there.keeps)
  // Of the own review there is no such row.
  await here.own.post(`${here.url}/decisions`, { rowIds: [row?.rowId], decision: 'takeBack' })
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

test('the job begins a review when its time has come, once, and reminds the admins every two weeks', async () => {
  const { organizationId, admin, own, url } = await place()
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
  expect(todos.accessReviewRows).toBe(2)
})
