import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { traceChanges } from '#test/traces.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const sessionsOf = async (browser: Client) => (await browser.get('/api/profile/sessions')).json()
const signOutsOf = async (person: Person) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'changes', 'actorId'])
      .where('targetId', '=', person.accountId)
      .where('name', '=', 'logout')
      .orderBy('id')
      .execute()
  ).map(({ changes, actorId }) => ({ changes, byOwner: actorId === person.accountId }))

test('a person sees their own sessions with device and time, the current one first, and no others', async () => {
  const person = await portal.person()
  const telephone = await portal.signedIn(person)
  await portal.system.db
    .updateTable('sessions')
    .set({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Mobile Safari/604.1' })
    .where('accountId', '=', person.accountId)
    .execute()
  const first = portal.now().toISOString()
  portal.advance(600)
  const computer = await portal.signedIn(person)
  await portal.signedIn(await portal.person())
  const second = portal.now().toISOString()
  const listed = await sessionsOf(computer)
  expect(listed).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      browser: null,
      system: null,
      handheld: false,
      signedInAt: expect.any(String),
      lastUsedAt: second,
      current: true,
    },
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      browser: 'Safari',
      system: 'iOS',
      handheld: true,
      signedInAt: expect.any(String),
      lastUsedAt: first,
      current: false,
    },
  ])
  // The provider counts in whole seconds.
  expect(Math.abs(Date.parse(listed[0].signedInAt) - Date.parse(second))).toBeLessThanOrEqual(1000)
  expect(Math.abs(Date.parse(listed[1].signedInAt) - Date.parse(first))).toBeLessThanOrEqual(1000)
  expect((await sessionsOf(telephone)).map(({ system }: { system: string | null }) => system)).toEqual(['iOS', null])
})

test('the id of a session in the list is neither its cookie nor a stored value', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const [{ id }] = await sessionsOf(browser)
  const { rows } = await portal.system.pool.query('select s::text as row from sessions s where account_id = $1', [
    person.accountId,
  ])
  expect(JSON.stringify(rows)).not.toContain(id)
  expect(JSON.stringify(browser.cookies())).not.toContain(id)
})

test('ending one session takes effect immediately and records one sign-out', async () => {
  const person = await portal.person()
  const [here, there, elsewhere] = [
    await portal.signedIn(person),
    await portal.signedIn(person),
    await portal.signedIn(person),
  ]
  const current = (await sessionsOf(there)).find((one: { current: boolean }) => one.current)
  expect((await here.delete(`/api/profile/sessions/${current.id}`)).statusCode).toBe(204)
  expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(elsewhere)]).toEqual([true, false, true])
  expect(await sessionsOf(here)).toHaveLength(2)
  expect(await signOutsOf(person)).toHaveLength(1)
  expect((await here.delete(`/api/profile/sessions/${current.id}`)).statusCode).toBe(404)
})

test('a person cannot end a session of another: it looks like a missing one', async () => {
  const [one, other] = [await portal.person(), await portal.person()]
  const [mine, theirs] = [await portal.signedIn(one), await portal.signedIn(other)]
  const [{ id }] = await sessionsOf(theirs)
  const foreign = await mine.delete(`/api/profile/sessions/${id}`)
  const missing = await mine.delete(`/api/profile/sessions/${'0'.repeat(32)}`)
  const nonsense = await mine.delete('/api/profile/sessions/nonsense')
  for (const response of [foreign, missing, nonsense])
    expect([response.statusCode, response.json().message]).toEqual([404, 'notFound'])
  expect(await isSignedIn(theirs)).toBe(true)
  expect(await signOutsOf(other)).toEqual([])
})

test('ending all others keeps this one, records one event, and does nothing if there are no others', async () => {
  const person = await portal.person()
  const others = [await portal.signedIn(person), await portal.signedIn(person)]
  const here = await portal.signedIn(person)
  expect((await here.delete('/api/profile/sessions')).statusCode).toBe(204)
  expect(await isSignedIn(here)).toBe(true)
  for (const other of others) expect(await isSignedIn(other)).toBe(false)
  expect((await here.delete('/api/profile/sessions')).statusCode).toBe(204)
  expect(await signOutsOf(person)).toEqual([
    {
      changes: [{ property: 'sessions', previousValue: '3', newValue: '1' }, ...traceChanges('password')],
      byOwner: true,
    },
  ])
})

test('ending all others with three concurrent requests records one event', async () => {
  const person = await portal.person()
  const [here] = [await portal.signedIn(person), await portal.signedIn(person), await portal.signedIn(person)]
  const answers = await Promise.all([1, 2, 3].map(() => here.delete('/api/profile/sessions')))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
  expect(await signOutsOf(person)).toHaveLength(1)
})

test('of two devices that sign each other out concurrently one stays signed in', async () => {
  const person = await portal.person()
  const devices = [await portal.signedIn(person), await portal.signedIn(person)]
  const answers = await Promise.all(devices.map((device) => device.delete('/api/profile/sessions')))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401])
  const left = await Promise.all(devices.map(isSignedIn))
  expect(left).toEqual(answers.map(({ statusCode }) => statusCode === 204))
  expect(await signOutsOf(person)).toHaveLength(1)
})

test('a session that is over is in no list', async () => {
  const person = await portal.person()
  await portal.signedIn(person)
  portal.advance(61 * 60)
  expect(await sessionsOf(await portal.signedIn(person))).toHaveLength(1)
})
