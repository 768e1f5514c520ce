import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { outcome } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// Somebody has the password of an account that has more, and does what they can so that its owner does not get in.

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let factors: ReturnType<typeof factorsOf>
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
  outbox = outboxOf(portal)
  factors = factorsOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

const phoneNumber = '+46701740681'
const bySms = { codeDeliveryType: 'sms' }
const newPassword = 'Other-horse-8-battery'
let address = 0
/** From one network after the other. */
const elsewhere = () => ({ 'x-forwarded-for': `192.0.${2 + Math.floor(address / 200)}.${(address++ % 200) + 1}` })

/** An owner with an app, a phone and recovery codes, and the browser that they use. */
async function scene() {
  const person = await portal.person({ loginMethod: 'local2FA', phoneNumber })
  const own = await factors.signedInByMail(person)
  const codeOf = await factors.addApp(own)
  const { codes } = (await own.post('/api/profile/recovery-codes', {})).json()
  portal.advance(600)
  return { person, own, codeOf, codes: codes as string[] }
}

const guess = (browser: Client, { email }: Person, code: string, password = testPassword) =>
  browser.post('/api/verify-credentials-2fa', { email, password, code }, elsewhere())
const begin = (browser: Client, { email }: Person, more: object = {}, password = testPassword) =>
  browser.post('/api/start-2fa-login', { email, password, ...more }, elsewhere())

/** Types wrong codes until they are refused. @returns how many were looked at */
async function useUpCodes(person: Person, code = '000000'): Promise<number> {
  const thief = portal.browser()
  await begin(thief, person)
  for (let count = 0; count < 60; count++) {
    const { statusCode } = await guess(thief, person, code)
    if (statusCode === 429) return count
    expect(statusCode).toBe(401)
  }
  return 60
}

/** A whole sign-in in this browser. */
async function signIn(browser: Client, person: Person, code: string, password = testPassword) {
  const { page } = await openSignIn(browser)
  await begin(browser, person, {}, password)
  const answer = outcome(await guess(browser, person, code, password))
  await browser.follow(await browser.submit(`${page}/login`, { email: person.email, password: '' }))
  return [answer, (await browser.get('/api/me')).statusCode]
}
async function signOut(browser: Client) {
  await browser.submit('/logout', {})
  expect((await browser.get('/api/me')).statusCode).toBe(401)
}
async function resetPassword({ email }: Person, browser = portal.browser()) {
  await browser.post('/api/initiate-password-reset', { email })
  const mail = (await outbox.messagesTo(email)).find(({ template }) => template === 'reset-password')
  const token = new URL(String(mail?.values.link)).pathname.split('/').at(-1)
  const form = { email, token, newPassword, confirmNewPassword: newPassword }
  expect(outcome(await portal.browser().post('/api/reset-password', form))).toBe(204)
}

describe('wrong codes of somebody who has the password', () => {
  test('are twenty a day, and leave the owner their known browser', async () => {
    const { person, own, codeOf } = await scene()
    await signOut(own)
    expect(await useUpCodes(person)).toBe(20)
    expect((await guess(portal.browser(), person, codeOf())).statusCode).toBe(429)
    expect(await signIn(own, person, codeOf())).toEqual([204, 200])
  })

  test('leave the owner a recovery code in any browser, also by a thief who types wrong ones of these', async () => {
    const { person, codes } = await scene()
    await useUpCodes(person)
    await useUpCodes(person, 'A'.repeat(24))
    expect(await signIn(portal.browser(), person, codes[0] ?? '')).toEqual([204, 200])
    await resetPassword(person)
    expect(await signIn(portal.browser(), person, codes[1] ?? '', newPassword)).toEqual([204, 200])
  })

  test.each(['reset', 'change'] as const)('leave the owner any browser after a %s of the password', async (how) => {
    const { person, own, codeOf } = await scene()
    await useUpCodes(person)
    if (how === 'reset') await resetPassword(person)
    else {
      expect(outcome(await own.post('/api/step-up/password', { password: testPassword }))).toBe(204)
      expect(outcome(await own.post('/api/step-up/code/verify', { code: codeOf() }))).toBe(204)
      portal.advance(60)
      const passwords = { oldPassword: testPassword, newPassword, confirmNewPassword: newPassword }
      expect(outcome(await own.put('/api/profile/password', passwords))).toBe(204)
    }
    expect(await signIn(portal.browser(), person, codeOf(), newPassword)).toEqual([204, 200])
  })

  test('leave the owner what they prove in an open session', async () => {
    const { person, own, codeOf } = await scene()
    await useUpCodes(person)
    expect(outcome(await own.post('/api/step-up/code/verify', { code: codeOf() }))).toBe(204)
  })

  test('are no more in browsers that the password alone has made known', async () => {
    const person = await portal.person()
    await factors.giveApp(person)
    const { db } = portal.system
    await db.updateTable('users').set({ usualFactor: null }).where('accountId', '=', person.accountId).execute()
    portal.advance(600)
    let looked = 0
    for (let time = 0; time < 4; time++) {
      const thief = await portal.signedIn(person)
      for (let count = 0; count < 10; count++)
        if ((await thief.post('/api/step-up/code/verify', { code: '000000' }, elsewhere())).statusCode === 422) looked++
    }
    expect(looked).toBe(20)
  })

  test('are a hundred a day in all, whatever the password and in however many browsers', async () => {
    const { person, own } = await scene()
    await signOut(own)
    const known = [own]
    for (let more = 0; more < 5; more++) {
      portal.advance(3600)
      known.push(await factors.signedInByMail(person))
    }
    portal.advance(24 * 3600)
    let looked = await useUpCodes(person)
    for (const browser of known) {
      await begin(browser, person)
      for (let count = 0; count < 25; count++) if ((await guess(browser, person, '000000')).statusCode === 401) looked++
    }
    expect(looked).toBe(100)
  })
})

describe('a sign-in that somebody else begins with the password', () => {
  test('ends no second step of the owner, neither the question for the app nor a code that was sent', async () => {
    const { person, codeOf } = await scene()
    const thief = portal.browser()
    const byApp = portal.browser()
    await begin(byApp, person)
    await begin(thief, person)
    expect((await byApp.get('/api/2fa-factors')).statusCode).toBe(200)
    expect(outcome(await guess(byApp, person, codeOf()))).toBe(204)

    const sent = portal.browser()
    expect(outcome(await begin(sent, person, bySms))).toBe(204)
    const code = String((await outbox.messagesTo(phoneNumber))[0]?.values.code)
    portal.advance(31)
    expect(outcome(await begin(thief, person, bySms))).toBe(204)
    const states = (await outbox.messagesTo(phoneNumber)).slice(0, 2).map(({ state }) => state)
    expect(states).toEqual(['queued', 'queued'])
    expect(outcome(await guess(thief, person, code))).toEqual([401, 'invalidCode'])
    expect(outcome(await guess(sent, person, code))).toBe(204)
  })
})

describe('codes that somebody with the password has sent', () => {
  /** Has codes sent for a day, as often as that is answered. */
  async function useUpMessages(person: Person, more: object) {
    let count = 0
    for (let time = 0; time < 40; time++) {
      if ((await begin(portal.browser(), person, more)).statusCode === 204) count++
      portal.advance(901)
    }
    return count
  }

  test('are ten text messages a day, and leave the owner their own in the known browser, also in the session', async () => {
    const { person, own } = await scene()
    await signOut(own)
    expect(await useUpMessages(person, bySms)).toBe(10)
    expect(outcome(await begin(portal.browser(), person, bySms))).toEqual([429, 'tooManyRequests'])
    const { page } = await openSignIn(own)
    expect(outcome(await begin(own, person, bySms))).toBe(204)
    await factors.complete(own, page, person, String((await outbox.messagesTo(phoneNumber))[0]?.values.code))
    portal.advance(31)
    expect(outcome(await own.post('/api/step-up/code', bySms))).toBe(204)
  })

  test('leave the owner any browser after a reset', async () => {
    const { person } = await scene()
    await useUpMessages(person, bySms)
    await resetPassword(person)
    expect(outcome(await begin(portal.browser(), person, bySms, newPassword))).toBe(204)
  })

  test('are fifty text messages a day in all, in however many browsers', async () => {
    const { person, own } = await scene()
    await signOut(own)
    const known = [own]
    for (let more = 0; more < 5; more++) {
      portal.advance(3600)
      known.push(await factors.signedInByMail(person))
    }
    portal.advance(24 * 3600)
    let sent = 0
    for (let time = 0; time < 12; time++) {
      for (const browser of known) if ((await begin(browser, person, bySms)).statusCode === 204) sent++
      portal.advance(901)
    }
    expect(sent).toBe(50)
  })

  test('by mail, five an hour, leave the owner theirs in the known browser', async () => {
    const { person, own } = await scene()
    await signOut(own)
    const byMail = { codeDeliveryType: 'email' }
    for (let time = 0; time < 8; time++) {
      await begin(portal.browser(), person, byMail)
      portal.advance(31)
    }
    expect(outcome(await begin(portal.browser(), person, byMail))).toEqual([429, 'tooManyRequests'])
    expect(outcome(await begin(own, person, byMail))).toBe(204)
  })
})

test('resets that somebody asks for all day leave the owner one in the known browser, and a link that works in the mailbox', async () => {
  const { person, own } = await scene()
  const resets = async () =>
    (await outbox.messagesTo(person.email)).filter(({ template }) => template === 'reset-password')
  const ask = (browser: Client) => browser.post('/api/initiate-password-reset', { email: person.email }, elsewhere())
  for (let time = 0; time < 20; time++) expect((await ask(portal.browser())).statusCode).toBe(204)
  expect(await resets()).toHaveLength(3)
  const linkWorks = async () => {
    const link = new URL(String((await resets())[0]?.values.link)).pathname
    return (await portal.browser().get(`/api${link}`)).statusCode === 200
  }
  expect(await linkWorks()).toBe(true)
  await ask(own)
  expect(await resets()).toHaveLength(4)
  expect(await linkWorks()).toBe(true)
  // In all ten an hour.
  for (let time = 0; time < 20; time++) await ask(own)
  expect((await resets()).length).toBe(6)
})
