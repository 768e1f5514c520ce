import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReviewPerson } from '#contract/access-reviews/review-answers.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
})
afterAll(() => portal.close())

/** A review of two services, one person with both, and a member who answers for the first service. */
async function place() {
  const { organizationId, name } = await portal.organization()
  const [payroll, journal] = [await portal.service(), await portal.service()]
  const [admin, owner, person] = [await portal.person(), await portal.person(), await portal.person()]
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  for (const { accountId } of [owner, person]) await portal.join(accountId, organizationId)
  for (const { serviceId } of [payroll, journal]) {
    await portal.offer(organizationId, serviceId)
    await portal.assign(person.accountId, organizationId, serviceId)
  }
  const [own, theirs] = [await portal.signedIn(admin), await portal.signedIn(owner)]
  const url = `/api/organizations/${organizationId}/access-review`
  const ask = (accountId = owner.accountId) => own.post(`${url}/reviewers`, { serviceId: payroll.serviceId, accountId })
  return { organizationId, name, payroll, journal, admin, owner, person, own, theirs, url, ask }
}
const rowsFor = async (client: Client, url: string) =>
  ((await client.get(url)).json().items as ReviewPerson[]).flatMap(({ rows }) => rows)

test('a member who is asked for a service sees it in that review and nothing else, decides, and finishes nothing', async () => {
  const { organizationId, name, payroll, owner, person, own, theirs, url, ask } = await place()
  await own.post(url)
  expect((await theirs.get(url)).statusCode).toBe(404)
  expect((await ask()).statusCode).toBe(204)
  expect((await ask()).json().message).toBe('reviewerAlreadyAsked')
  const [mail] = await outboxOf(portal).messagesTo(owner.email)
  expect(mail?.values).toMatchObject({ state: 'asked', services: payroll.name, organizationId })
  const asked = [{ organizationId, organizationName: name, services: [payroll.name], undecided: 1 }]
  expect((await theirs.get('/api/access-reviews/asked')).json()).toEqual(asked)
  expect((await theirs.get('/api/start')).json().reviews).toEqual(asked)

  const answer = (await theirs.get(url)).json()
  expect(answer).toMatchObject({ whole: false, decides: true, totalCount: 1, matching: 1, reviewers: [], nextAt: null })
  expect(answer.review).toMatchObject({ total: 1, done: 0 })
  expect(answer.services).toMatchObject([{ serviceId: payroll.serviceId }])
  expect((await rowsFor(theirs, url)).map(({ serviceId }) => serviceId)).toEqual([payroll.serviceId])
  // A row of the other service is not theirs, even if they know its id.
  const rowIds = (await rowsFor(own, url)).map(({ rowId }) => rowId)
  const decided = await theirs.post(`${url}/decisions`, { rowIds, from: null, decision: 'takeBack' })
  expect(decided.json()).toEqual({ changed: 1 })
  expect((await rowsFor(own, url)).filter(({ decision }) => decision).map(({ decidedBy }) => decidedBy)).toEqual([
    owner.email,
  ])
  const refused = [
    await theirs.post(`${url}/at-once`, { accountId: person.accountId, rowIds }),
    await theirs.post(`${url}/finish`, { takeBack: 1 }),
    await theirs.post(`${url}/reviewers`, { serviceId: payroll.serviceId, accountId: person.accountId }),
    await theirs.post(`${url}/reminder`),
    await theirs.get(`${url}/report`),
  ]
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])

  const reviewers = `${url}/reviewers/${payroll.serviceId}/${owner.accountId}`
  expect((await own.get(url)).json().reviewers).toMatchObject([{ email: owner.email, serviceId: payroll.serviceId }])
  expect((await own.delete(reviewers)).statusCode).toBe(204)
  expect((await own.delete(reviewers)).statusCode).toBe(404)
  expect((await theirs.get(url)).statusCode).toBe(404)
})

test('what somebody may see of a review ends with it, and with the membership', async () => {
  const { organizationId, owner, own, theirs, url, ask } = await place()
  await own.post(url)
  await ask()
  const rowIds = (await rowsFor(own, url)).map(({ rowId }) => rowId)
  await own.post(`${url}/decisions`, { rowIds, from: null, decision: 'keep' })
  expect((await theirs.get(url)).statusCode).toBe(200)
  await own.post(`${url}/finish`, { takeBack: 0 })
  expect((await theirs.get(url)).statusCode).toBe(404)
  expect((await theirs.post(`${url}/decisions`, { rowIds, from: 'keep', decision: null })).statusCode).toBe(404)

  await own.post(url)
  await ask()
  await portal.system.db.deleteFrom('memberships').where('accountId', '=', owner.accountId).execute()
  await portal.join(owner.accountId, organizationId)
  expect((await theirs.get(url)).statusCode).toBe(404)
})

test('only members of the organisation who can sign in are asked, and only for services of the review', async () => {
  const { organizationId, payroll, own, url, ask, owner } = await place()
  const stranger = await portal.person()
  const passive = await portal.person()
  await portal.join(passive.accountId, organizationId)
  await portal.system.db
    .updateTable('users')
    .set({ passiveAt: portal.now() })
    .where('accountId', '=', passive.accountId)
    .execute()
  expect((await ask()).json().message).toBe('reviewNotOpen')
  await own.post(url)
  expect((await ask(stranger.accountId)).statusCode).toBe(404)
  expect((await ask(passive.accountId)).statusCode).toBe(404)
  const { serviceId } = await portal.service()
  expect((await own.post(`${url}/reviewers`, { serviceId, accountId: owner.accountId })).statusCode).toBe(404)
  expect((await own.get(url)).json().reviewers).toEqual([])
  expect(payroll.serviceId).not.toBe(serviceId)
})

test('a reminder reaches the admins and who still has to decide, once a day', async () => {
  const { own, url, ask, admin, owner } = await place()
  await own.post(url)
  await ask()
  const remind = () => own.post(`${url}/reminder`)
  expect((await remind()).json().message).toBe('reviewJustReminded')
  await portal.system.db
    .updateTable('accessReviews')
    .set({ toldAt: new Date(portal.now().getTime() - 25 * 3_600_000) })
    .execute()
  expect((await remind()).statusCode).toBe(204)
  const statesOf = async (email: string) => (await outboxOf(portal).messagesTo(email)).map(({ values }) => values.state)
  expect(await statesOf(admin.email)).toEqual(['waits'])
  expect(await statesOf(owner.email)).toEqual(['asked', 'asked'])
})

test('a member who is asked again on the same day gets no second mail, and an admin asks 50 times an hour', async () => {
  const { payroll, owner, person, admin, own, url, ask } = await place()
  await own.post(url)
  const reviewer = `${url}/reviewers/${payroll.serviceId}/${owner.accountId}`
  for (let times = 1; times <= 3; times++) {
    expect((await ask()).statusCode).toBe(204)
    expect((await own.delete(reviewer)).statusCode).toBe(204)
  }
  const mails = async ({ email }: { email: string }) => (await outboxOf(portal).messagesTo(email)).length
  expect(await mails(owner)).toBe(1)
  expect((await ask(person.accountId)).statusCode).toBe(204)
  expect(await mails(person)).toBe(1)
  const { db, limits } = portal.system
  await limits.take(db, [{ name: 'reviewerAsked', key: admin.accountId, times: 46 }], portal.now())
  expect((await ask()).statusCode).toBe(429)
  portal.advance(24 * 3600)
  const later = await portal.signedIn(admin)
  const again = { serviceId: payroll.serviceId, accountId: owner.accountId }
  expect((await later.post(`${url}/reviewers`, again)).statusCode).toBe(204)
  expect(await mails(owner)).toBe(2)
})
