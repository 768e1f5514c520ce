import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const events = async (accountId: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('actorId', '=', accountId)
      .orderBy('seq')
      .execute()
  ).map(({ name }) => name)

test('a person signs out: the session is over everywhere, the cookies are gone, one event is left', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const before = browser.cookies()
  const response = await browser.submit('/logout', {})
  expect([response.statusCode, response.headers.location]).toEqual([303, '/'])
  expect(Object.keys(browser.cookies()).filter((name) => name.startsWith('session'))).toEqual([])
  const kept = portal.browser()
  for (const [name, value] of Object.entries(before)) kept.setCookie(name, value)
  expect((await kept.get('/api/me')).statusCode).toBe(401)
  expect(await events(person.accountId)).toEqual(['loginSuccess', 'logout'])
})

test('signing out twice leaves one event, and goes to the start both times', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await browser.submit('/logout', {})
  const again = await browser.submit('/logout', {})
  expect([again.statusCode, again.headers.location]).toEqual([303, '/'])
  expect(await events(person.accountId)).toEqual(['loginSuccess', 'logout'])
})

test('another site cannot sign anybody out, neither by a form nor by a link', async () => {
  const browser = await portal.signedIn(await portal.person())
  expect((await browser.submit('/logout', {}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  expect((await browser.submit('/logout', {}, { 'sec-fetch-site': 'same-site' })).statusCode).toBe(403)
  expect((await browser.get('/logout', { accept: 'text/html' })).statusCode).toBe(200)
  expect((await browser.get('/api/me')).statusCode).toBe(200)
})

test('the sign-out ends this session of the person and no other', async () => {
  const person = await portal.person()
  const [one, other] = [await portal.signedIn(person), await portal.signedIn(person)]
  await one.submit('/logout', {})
  expect((await other.get('/api/me')).statusCode).toBe(200)
})
