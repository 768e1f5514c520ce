import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInChallenge } from '#server/credentials/passkeys/challenges.ts'
import { authenticator } from '#test/authenticator.ts'
import { type Client, outcome } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// A thief has signed in, so their browser is known. The owner resets the password: from then on it is a stranger's, and what
// strangers used up holds it up. Without this each such browser would keep a budget of its own.

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

const newPassword = 'Other-horse-8-battery'
const device = authenticator()
let address = 0
/** From one network after the other. */
const elsewhere = () => ({ 'x-forwarded-for': `192.0.${2 + Math.floor(address / 200)}.${(address++ % 200) + 1}` })

const mailsTo = async (email: string) =>
  (await outboxOf(portal).messagesTo(email)).filter(({ template }) => template === 'reset-password')

async function resetPassword({ email }: Person): Promise<void> {
  portal.advance(60)
  await portal.browser().post('/api/initiate-password-reset', { email })
  const token = new URL(String((await mailsTo(email)).at(-1)?.values.link)).pathname.split('/').at(-1)
  const form = { email, token, newPassword, confirmNewPassword: newPassword }
  expect(outcome(await portal.browser().post('/api/reset-password', form))).toBe(204)
  portal.advance(2 * 3600)
}

describe('a browser that its owner has cut off counts as a stranger', () => {
  const guess = (browser: Client, { email }: Person, password: string) =>
    browser.post('/api/verify-credentials', { email, password }, elsewhere())
  /** Wrong passwords by strangers, as many as the account bears. */
  async function useUpPasswords(person: Person) {
    for (let count = 0; count < 10; count++)
      expect((await guess(portal.browser(), person, 'Wrong-horse-9')).statusCode).toBe(401)
  }

  test.each([
    ['wrong', 'Wrong-horse-8'],
    ['right', newPassword],
  ])('when it tries a %s password', async (_, password) => {
    const person = await portal.person()
    const thief = await portal.signedIn(person)
    await resetPassword(person)
    await useUpPasswords(person)
    expect((await guess(thief, person, password)).statusCode).toBe(429)
  })

  test('and gets no attempts beside theirs, while a right password gives its own back', async () => {
    const person = await portal.person()
    const thief = await portal.signedIn(person)
    await resetPassword(person)
    for (let count = 0; count < 9; count++) expect((await guess(thief, person, newPassword)).statusCode).toBe(204)
    for (let count = 0; count < 10; count++) expect((await guess(thief, person, 'Wrong-horse-8')).statusCode).toBe(401)
    expect((await guess(portal.browser(), person, 'Wrong-horse-8')).statusCode).toBe(429)
  })

  test('when it shows a passkey', async () => {
    const person = await portal.person()
    const own = await portal.signedIn(person)
    await own.post('/api/step-up/code', {})
    await own.post('/api/step-up/code/verify', { code: await outboxOf(portal).codeSentTo(person.email) })
    const options = (await own.post('/api/profile/passkeys/challenge', { kind: 'passkey' })).json()
    const { key, credential } = device.create(options)
    expect((await own.post('/api/profile/passkeys', { name: 'My phone', credential })).statusCode).toBe(201)
    await own.submit('/logout', {})
    const here = { 'x-forwarded-for': '198.51.100.7' }
    const show = async (browser: Client, odd: object = {}) => {
      const { uid, page } = await openSignIn(browser)
      const use = device.use(key, { challenge: signInChallenge(portal.system.keys, uid), rpId: 'portal.test' }, odd)
      return (await browser.submit(`${page}/passkey`, { credential: JSON.stringify(use) }, here)).headers.location
    }
    // Strangers use up the address. The owner's browser has a budget of its own, until it is cut off.
    for (let count = 0; count < 20; count++) await show(portal.browser(), { userHandle: null })
    expect(await show(portal.browser())).toMatch(/tooManyRequests/)
    expect(await show(own, { userHandle: null })).not.toMatch(/tooManyRequests/)
    await resetPassword(person)
    for (let count = 0; count < 20; count++) await show(portal.browser(), { userHandle: null })
    expect(await show(own)).toMatch(/tooManyRequests/)
  })

  test('when it asks for resets', async () => {
    const person = await portal.person()
    const thief = await portal.signedIn(person)
    await resetPassword(person)
    const ask = (browser: Client) => browser.post('/api/initiate-password-reset', { email: person.email }, elsewhere())
    const before = (await mailsTo(person.email)).length
    for (let count = 0; count < 5; count++) await ask(portal.browser())
    for (let count = 0; count < 5; count++) await ask(thief)
    expect(await mailsTo(person.email)).toHaveLength(before + 3)
  })

  test('when it types recovery codes and others have used up the address', async () => {
    const person = await portal.person({ loginMethod: 'local2FA', phoneNumber: '+46701740681' })
    const own = await factorsOf(portal).signedInByMail(person)
    await factorsOf(portal).addApp(own)
    const { codes } = (await own.post('/api/profile/recovery-codes', {})).json()
    await resetPassword(person)
    const here = { 'x-forwarded-for': '198.51.100.8' }
    for (let count = 0; count < 20; count++)
      await portal.browser().post('/api/verify-credentials', { email: `nobody${count}@x.example`, password: 'x' }, here)
    const right = { email: person.email, password: newPassword, code: codes[0] }
    await own.post('/api/start-2fa-login', { email: person.email, password: newPassword }, elsewhere())
    expect((await own.post('/api/verify-credentials-2fa', right, here)).statusCode).toBe(429)
  })
})
