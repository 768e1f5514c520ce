import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let bankid: ReturnType<typeof bankIdOf>
beforeAll(async () => {
  portal = await testApp()
  bankid = bankIdOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(24 * 3600))

const tenMinutes = () => portal.advance(10 * 60 + 1)
const proof = async (browser: Client) => (await browser.get('/api/step-up')).json()
const enterPassword = (browser: Client, password = testPassword) => browser.post('/api/step-up/password', { password })
async function enterCode(browser: Client, email: string) {
  await browser.post('/api/step-up/code', {})
  const code = await outboxOf(portal).codeSentTo(email)
  return browser.post('/api/step-up/code/verify', { code })
}
const fresh = { fresh: true, steps: [] }

test('a sign-in is fresh for ten minutes; then the password is asked for again', async () => {
  const browser = await portal.signedIn(await portal.person())
  portal.advance(10 * 60 - 1)
  expect(await proof(browser)).toEqual(fresh)
  portal.advance(2)
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['password'] })
  expect((await enterPassword(browser)).statusCode).toBe(204)
  expect(await proof(browser)).toEqual(fresh)
})

test('a wrong password proves nothing, and the fifth one ends the session', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  tenMinutes()
  for (let attempt = 1; attempt <= 5; attempt++) {
    const refused = await enterPassword(browser, 'Wrong-horse-7-battery')
    expect([refused.statusCode, refused.json().message]).toEqual([401, 'invalidCredentials'])
  }
  expect((await browser.get('/api/step-up')).statusCode).toBe(401)
})

test('a proof gives the session a new id: the old one opens nothing', async () => {
  const browser = await portal.signedIn(await portal.person())
  tenMinutes()
  const thief = portal.browser()
  for (const [name, value] of Object.entries(browser.cookies())) thief.setCookie(name, value)
  await enterPassword(browser)
  expect((await thief.get('/api/step-up')).statusCode).toBe(401)
})

test('of another session of the same person a proof is worth nothing', async () => {
  const person = await portal.person()
  const [one, other] = [await portal.signedIn(person), await portal.signedIn(person)]
  tenMinutes()
  await enterPassword(one)
  expect((await proof(other)).fresh).toBe(false)
})

test('who signs in with a code proves password and code, in this order and within ten minutes', async () => {
  const { email, accountId } = await portal.person({ phoneNumber: '+46701740607' })
  const browser = await portal.signedIn({ email, accountId })
  await portal.system.db
    .updateTable('users')
    .set({ loginMethod: 'local2FA' })
    .where('accountId', '=', accountId)
    .execute()
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['email', 'sms'] })
  tenMinutes()
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['password'] })
  expect((await enterCode(browser, email)).statusCode).toBe(204)
  expect((await proof(browser)).fresh).toBe(false)
  portal.advance(60)
  await enterPassword(browser)
  expect(await proof(browser)).toEqual(fresh)
  // The code is the older of the two.
  portal.advance(9 * 60 + 1)
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['email', 'sms'] })
})

test('who signs in with BankID proves it again by BankID, in the same session', async () => {
  const ssn = bankid.newNumber()
  const { email } = await portal.person({ loginMethod: 'bankid', ssn, ssnProof: 'bankid' })
  const { browser } = await bankid.signIn(email, ssn)
  expect(await proof(browser)).toEqual(fresh)
  tenMinutes()
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['bankid'] })
  expect((await enterPassword(browser)).json().message).toBe('passwordNotForMethod')
  const again = await bankid.signIn(email, ssn, { browser, startAt: '/login?prompt=login&returnTo=/confirmed' })
  const { url } = await browser.follow(await browser.get(again.location))
  expect(url).toBe('/confirmed')
  expect(await proof(browser)).toEqual(fresh)
})

test('BankID is another way for who has a proven number, and none with a number that was only entered', async () => {
  const ssn = bankid.newNumber()
  const { email, accountId } = await portal.person({ ssn })
  const browser = await portal.signedIn({ email, accountId })
  tenMinutes()
  const again = async () => {
    const { location } = await bankid.signIn(email, ssn, { browser, startAt: '/login?prompt=login' })
    await browser.follow(await browser.get(location))
  }
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['password'] })
  // This proves the number, which the person who took the session over may have entered.
  await again()
  expect(await proof(browser)).toEqual({ fresh: false, steps: ['password', 'bankid'] })
  await again()
  expect(await proof(browser)).toEqual(fresh)
})
