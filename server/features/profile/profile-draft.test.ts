import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const draft = { firstName: 'Åsa', ssn: '191212121212', phoneNumber: '+46701740605' }
const keep = (browser: Client, typed: object = draft) => browser.put('/api/profile/draft', typed)
const take = async (browser: Client) => (await browser.get('/api/profile/draft')).json().draft
const cookieOf = (browser: Client) => browser.cookies('/api/profile/draft').draft ?? ''

test('the unsaved input is restored once after signing in again', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const kept = await keep(browser)
  expect([kept.statusCode, kept.body]).toEqual([204, ''])
  const { page } = await openSignIn(browser, '/login?returnTo=/account&prompt=login')
  expect(await finishSignIn(browser, page, person.email)).toBe('/account')
  expect(await take(browser)).toEqual(draft)
  expect(await take(browser)).toBeNull()
  // Nothing of it was a change.
  expect((await browser.get('/api/me')).json()).toMatchObject({ firstName: 'Test', ssn: null, version: 1 })
})

test('only a script of the portal can read it, and the browser stores it encrypted', async () => {
  const browser = await portal.signedIn(await portal.person())
  const header = String((await keep(browser)).headers['set-cookie'])
  expect(header).toMatch(/^draft=[\w-]+; Max-Age=900; Path=\/api\/profile\/draft; HttpOnly; SameSite=Lax$/)
  const value = Buffer.from(cookieOf(browser), 'base64url')
  for (const text of Object.values(draft)) expect(value.includes(text), text).toBe(false)
  expect(browser.cookies('/api/me')).not.toHaveProperty('draft')
})

test('it belongs to one person: the next person in that browser gets nothing, and it is deleted', async () => {
  const [mine, theirs] = [await portal.signedIn(await portal.person()), await portal.signedIn(await portal.person())]
  await keep(mine)
  theirs.setCookie('draft', cookieOf(mine), '/api/profile/draft')
  expect(await take(theirs)).toBeNull()
  expect(cookieOf(theirs)).toBe('')
})

test('it lives a quarter of an hour', async () => {
  const browser = await portal.signedIn(await portal.person())
  await keep(browser)
  const cookie = cookieOf(browser)
  portal.advance(15 * 60 - 1)
  expect(await take(browser)).toEqual(draft)
  browser.setCookie('draft', cookie, '/api/profile/draft')
  portal.advance(1)
  expect(await take(browser)).toBeNull()
})

test.each(['', 'x', 'a'.repeat(3000), '%%%', Buffer.alloc(40, 1).toString('base64url')])(
  'a cookie that is none of ours is no draft: %s',
  async (value) => {
    const browser = await portal.signedIn(await portal.person())
    browser.setCookie('draft', value, '/api/profile/draft')
    const response = await browser.get('/api/profile/draft')
    expect([response.statusCode, response.json()]).toEqual([200, { draft: null }])
  },
)

test('the longest draft fits into a cookie', async () => {
  const browser = await portal.signedIn(await portal.person())
  const long = { firstName: '錆'.repeat(100), lastName: '錆'.repeat(100), ssn: `placeholder${'錆'.repeat(89)}` }
  const response = await keep(browser, long)
  expect(String(response.headers['set-cookie']).length).toBeLessThan(4096)
  expect(await take(browser)).toMatchObject(long)
})

test('it needs a session to save or restore, and invalid input is refused', async () => {
  const nobody = portal.browser()
  expect([(await keep(nobody)).statusCode, (await nobody.get('/api/profile/draft')).statusCode]).toEqual([401, 401])
  const browser = await portal.signedIn(await portal.person())
  for (const [typed, issue] of [
    [{ ssn: '191212121213' }, { path: 'ssn', message: 'ssnInvalidDigits' }],
    [{ password: 'Brown-otter-42-lamp' }, { path: 'password', message: 'unknownField' }],
    [{ firstName: '' }, { path: 'firstName', message: 'required' }],
  ] as const) {
    const response = await keep(browser, typed)
    expect([response.statusCode, response.json().issues]).toEqual([422, [issue]])
    expect(response.headers['set-cookie']).toBeUndefined()
  }
})
