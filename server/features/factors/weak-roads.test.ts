import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFactors } from '#server/credentials/factors/factors.repository.ts'
import { bankIdOf } from '#test/bankid.ts'
import { type Client, outcome } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { chosenPassword, type Person, testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let factors: ReturnType<typeof factorsOf>
let bankid: ReturnType<typeof bankIdOf>
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp()
  outbox = outboxOf(portal)
  factors = factorsOf(portal)
  bankid = bankIdOf(portal)
  invites = invitationsOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(24 * 3600))

const phoneNumber = '+46701740641'
const change = (browser: Client, input: object) =>
  browser.put('/api/profile', { ...input, currentPassword: testPassword })
const kindsOf = async (browser: Client) => (await browser.get('/api/profile/factors')).json().kinds
const unconfirmedOf = async (browser: Client) => (await browser.get('/api/profile/factors')).json().unconfirmed

describe('somebody who has stolen the password of an account without a second factor', () => {
  test('sets a phone number, which gets no code: no app, passkey or recovery codes follow from it', async () => {
    const person = await portal.person()
    const thief = await portal.signedIn(person)
    expect(outcome(await change(thief, { phoneNumber }))).toBe(200)
    expect(await kindsOf(thief)).toEqual(['email'])
    expect((await thief.get('/api/step-up?for=factor')).json()).toMatchObject({ steps: ['email'] })
    const asked = await thief.post('/api/step-up/code', { codeDeliveryType: 'sms' })
    expect(outcome(asked)).toEqual([403, 'phoneNotConfirmed'])
    for (const call of ['/api/profile/app', '/api/profile/recovery-codes'])
      expect(outcome(await thief.post(call, {}))).toEqual([403, 'codeRequired'])
    // Nor after the owner has added an app.
    await factors.giveApp(person)
    portal.advance(600)
    const browser = portal.browser()
    await factors.start(browser, person)
    expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({
      kinds: ['app', 'email'],
      phoneUnconfirmed: true,
    })
    const bySms = await factors.start(browser, person, { codeDeliveryType: 'sms' })
    expect(outcome(bySms)).toEqual([403, 'phoneNotConfirmed'])
    expect((await portal.browser().get(`/api/authType?email=${person.email}`)).json().hasPhoneNumber).toBe(false)
  })

  test('sets a personal number and identifies with it: that BankID proves nothing of the account', async () => {
    const person = await portal.person()
    const { organizationId } = await portal.organization(undefined, 'bankid')
    const thief = await portal.signedIn(person)
    const ssn = bankid.newNumber()
    expect(outcome(await change(thief, { ssn }))).toBe(200)
    await portal.join(person.accountId, organizationId, 'regular', 'joined')
    const { db } = portal.system
    const own = db.updateTable('users').where('accountId', '=', person.accountId)
    // Nor where BankID had proven it for the same password.
    for (const isProven of [false, true]) {
      if (isProven) await own.set({ ssnProof: 'bankid', ssnProvenAt: portal.now() }).execute()
      const { location } = await bankid.signIn(person.email, ssn, { browser: thief, startAt: '/login?prompt=login' })
      expect(location).toContain('error=bankIdRefused')
      await thief.follow(await thief.get(location))
      expect(outcome(await thief.post('/api/profile/app', {}))).toEqual([403, 'codeRequired'])
      expect((await thief.get('/api/me')).json()).toMatchObject({ signedInWith: 'password' })
      expect((await thief.get('/api/start')).json().organizations).toMatchObject([{ needs: 'bankid' }])
      expect((await thief.get('/api/step-up?for=factor')).json().steps).not.toContain('bankid')
    }
    // Nor does it stand in for the app that the owner adds.
    await factors.giveApp(person)
    portal.advance(600)
    const browser = portal.browser()
    await factors.start(browser, person)
    expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({ bankid: false })
  })
})

describe('a number that came with a password alone', () => {
  test('becomes the own phone by the same number, the password and a code by mail; the owner is mailed', async () => {
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    await change(browser, { phoneNumber })
    expect(outcome(await change(browser, { phoneNumber }))).toBe(200)
    expect(await kindsOf(browser)).toEqual(['email'])
    expect(await unconfirmedOf(browser)).toEqual(['phoneNumber'])
    await factors.proveCode(browser, person)
    expect(outcome(await browser.put('/api/profile', { phoneNumber }))).toBe(200)
    expect(await kindsOf(browser)).toEqual(['email'])
    const wrong = await browser.put('/api/profile', { phoneNumber, currentPassword: 'Wrong-horse-7-battery' })
    expect(outcome(wrong)).toEqual([401, 'invalidCredentials'])
    expect(outcome(await change(browser, { phoneNumber }))).toBe(200)
    expect(await kindsOf(browser)).toEqual(['sms', 'email'])
    expect(await unconfirmedOf(browser)).toEqual([])
    const mails = async () =>
      (await outbox.messagesTo(person.email)).filter(({ template }) => template === 'contact-changed').length
    expect(await mails()).toBe(2)
    expect(outcome(await change(browser, { phoneNumber }))).toBe(200)
    expect(await mails()).toBe(2)
  })

  test('becomes the own personal number likewise, and BankID counts; a weaker proof than the app does not do it', async () => {
    const person = await portal.person()
    const ssn = bankid.newNumber()
    await change(await portal.signedIn(person), { ssn })
    const { browser, codeOf } = await factors.giveApp(person)
    expect(await unconfirmedOf(browser)).toEqual(['ssn'])
    portal.advance(601)
    await factors.proveCode(browser, person)
    expect(outcome(await change(browser, { ssn }))).toEqual([403, 'freshProofRequired'])
    await browser.post('/api/step-up/password', { password: testPassword })
    await browser.post('/api/step-up/code/verify', { code: codeOf() })
    expect(outcome(await change(browser, { ssn }))).toBe(200)
    expect(await unconfirmedOf(browser)).toEqual([])
    const { location } = await bankid.signIn(person.email, ssn, { browser, startAt: '/login?prompt=login' })
    await browser.follow(await browser.get(location))
    expect((await browser.get('/api/me')).json()).toMatchObject({ signedInWith: 'bankid', ssnConfirmed: true })
  })
})

test('who confirms a number that BankID had proven keeps the proof', async () => {
  const person = await portal.person()
  const ssn = bankid.newNumber()
  const browser = await portal.signedIn(person)
  await change(browser, { ssn })
  await portal.system.db
    .updateTable('users')
    .set({ ssnProof: 'bankid', ssnProvenAt: portal.now() })
    .where('accountId', '=', person.accountId)
    .execute()
  await factors.proveCode(browser, person)
  expect(outcome(await change(browser, { ssn }))).toBe(200)
  expect((await browser.get('/api/me')).json()).toMatchObject({ ssn, ssnConfirmed: true })
  expect(await unconfirmedOf(browser)).toEqual([])
})

describe('an admin of the organisation, who also has a password', () => {
  async function scene(options: Parameters<TestApp['person']>[0] = {}) {
    const { organizationId } = await portal.organization()
    const [admin, person] = [await portal.person(), await portal.person(options)]
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    await portal.join(person.accountId, organizationId)
    const one = await portal.signedIn(admin)
    return { person, set: (input: object) => one.put('/api/users', { accountId: person.accountId, ...input }) }
  }

  test('brings no phone of their own to somebody with an app, whether they enter it before or after', async () => {
    for (const isBefore of [true, false]) {
      const { person, set } = await scene()
      if (isBefore) expect(outcome(await set({ phoneNumber }))).toBe(200)
      const { browser: own } = await factors.giveApp(person)
      if (!isBefore) expect(outcome(await set({ phoneNumber }))).toBe(200)
      expect(await kindsOf(own)).toEqual(['app', 'email'])
      portal.advance(600)
      const browser = portal.browser()
      const asked = await factors.start(browser, person, { codeDeliveryType: 'sms' })
      expect(outcome(asked)).toEqual([403, 'phoneNotConfirmed'])
      expect(await unconfirmedOf(own)).toEqual(['phoneNumber'])
      expect((await portal.browser().get(`/api/authType?email=${person.email}`)).json().hasPhoneNumber).toBe(false)
    }
  })

  test('may enter the phone of somebody who has nothing else: it gets codes once the owner has confirmed it', async () => {
    const { person, set } = await scene({ loginMethod: 'local2FA' })
    expect(outcome(await set({ phoneNumber }))).toBe(200)
    const bySms = () => factors.start(portal.browser(), person, { codeDeliveryType: 'sms' })
    expect(outcome(await bySms())).toEqual([403, 'phoneNotConfirmed'])
    const own = await factors.signedInByMail(person)
    expect(await unconfirmedOf(own)).toEqual(['phoneNumber'])
    expect(outcome(await change(own, { phoneNumber }))).toBe(200)
    expect(outcome(await bySms())).toBe(204)
  })

  test('may accept by the link that they read, and enter a number of their own: it waits for the owner', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    for (const isShown of [true, false]) {
      const email = newEmail()
      await invite(browser, organizationId, email)
      const token = isShown
        ? await invites.shownToken(browser, email, organizationId)
        : await invites.mailedToken(email)
      expect(outcome(await invites.accept(email, token, { ssn: bankid.newNumber() }))).toBe(204)
      const { accountId } = (await invites.userOf(email)) ?? { accountId: '' }
      const own = await portal.signedIn({ accountId, email }, chosenPassword)
      expect(await unconfirmedOf(own)).toEqual(isShown ? ['ssn'] : [])
    }
  })

  test('may enter the number of somebody with BankID, which is theirs with a password later once they say so', async () => {
    const first = bankid.newNumber()
    const { person, set } = await scene({ loginMethod: 'bankid', ssn: first, ssnProof: 'bankid' })
    const ssn = bankid.newNumber()
    expect(outcome(await set({ ssn }))).toBe(200)
    const { browser } = await bankid.signIn(person.email, ssn)
    expect((await browser.get('/api/step-up')).json()).toMatchObject({ fresh: true })
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const { accountId } = person
    expect(outcome(await root.put('/api/users', { accountId, loginMethod: 'local' }))).toBe(200)
    expect((await findFactors(portal.system.db, accountId, 'portal.test')).unconfirmed).toEqual(['ssn'])
  })

  test('brings no BankID of their own: it is no fresh proof, and stands in for no factor', async () => {
    const { person, set } = await scene()
    const ssn = bankid.newNumber()
    expect(outcome(await set({ ssn }))).toBe(200)
    const thief = await portal.signedIn(person)
    for (const _ of ['claimed', 'proven']) {
      const { location } = await bankid.signIn(person.email, ssn, { browser: thief, startAt: '/login?prompt=login' })
      await thief.follow(await thief.get(location))
      expect(outcome(await thief.post('/api/profile/app', {}))).toEqual([403, 'codeRequired'])
    }
    await factors.giveApp(person)
    portal.advance(600)
    const browser = portal.browser()
    await factors.start(browser, person)
    expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({ bankid: false })
  })
})

test('a phone number that the owner enters after a code by mail gets codes, and one that the operator enters waits', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await factors.proveCode(browser, person)
  expect(outcome(await change(browser, { phoneNumber }))).toBe(200)
  expect(await kindsOf(browser)).toEqual(['sms', 'email'])

  const other = await portal.person()
  const own = await portal.signedIn(other)
  await change(own, { phoneNumber })
  expect(await kindsOf(own)).toEqual(['email'])
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  expect(outcome(await root.put('/api/users', { accountId: other.accountId, phoneNumber: '+46701740642' }))).toBe(200)
  expect(await kindsOf(own)).toEqual(['email'])
  expect(await unconfirmedOf(own)).toEqual(['phoneNumber'])
  await factors.proveCode(own, other)
  expect(outcome(await change(own, { phoneNumber: '+46701740642' }))).toBe(200)
  expect(await kindsOf(own)).toEqual(['sms', 'email'])
})

describe('after a reset of the password by mail', () => {
  const newPassword = 'Other-horse-8-battery'
  async function reset({ email }: Person) {
    await portal.browser().post('/api/initiate-password-reset', { email })
    const mail = (await outbox.messagesTo(email)).find(({ template }) => template === 'reset-password')
    const token = new URL(String(mail?.values.link)).pathname.split('/').at(-1)
    const form = { email, token, newPassword, confirmNewPassword: newPassword }
    expect(outcome(await portal.browser().post('/api/reset-password', form))).toBe(204)
  }
  const start = (browser: Client, { email }: Person, more: object = {}) =>
    browser.post('/api/start-2fa-login', { email, password: newPassword, ...more })
  const verify = (browser: Client, { email }: Person, code: string) =>
    browser.post('/api/verify-credentials-2fa', { email, password: newPassword, code })

  test('the mailbox is not enough: somebody with an app gets no code by mail, whatever they chose', async () => {
    const person = await portal.person()
    const { browser: own, codeOf } = await factors.giveApp(person)
    expect(outcome(await own.put('/api/profile/factors/usual', { usual: 'email' }))).toBe(204)
    portal.advance(600)
    await reset(person)
    const browser = portal.browser()
    expect(outcome(await start(browser, person))).toBe(204)
    expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({ asked: 'app', kinds: ['app'] })
    expect(outcome(await start(browser, person, { codeDeliveryType: 'email' }))).toEqual([403, 'mailNotAfterReset'])
    expect((await outbox.messagesTo(person.email)).filter(({ template }) => template === 'login-code')).toEqual([])

    // Once the app has proven that the owner has the new password, mail is one click away again.
    expect(outcome(await verify(browser, person, codeOf()))).toBe(204)
    const again = portal.browser()
    expect(outcome(await start(again, person, { codeDeliveryType: 'email' }))).toEqual([403, 'mailNotAfterReset'])
    const { page } = await openSignIn(browser)
    portal.advance(60)
    await start(browser, person)
    await verify(browser, person, codeOf())
    const form = { email: person.email, login: person.email, password: '', code: '' }
    await browser.follow(await browser.submit(`${page}/login`, form))
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    expect(outcome(await start(portal.browser(), person, { codeDeliveryType: 'email' }))).toBe(204)
  })

  test('nor does a code by mail raise a session, or the password change without the app', async () => {
    const person = await portal.person()
    const { browser: own } = await factors.giveApp(person)
    expect(outcome(await own.put('/api/profile/factors/usual', { usual: null }))).toBe(204)
    portal.advance(600)
    await reset(person)
    const thief = await portal.signedIn(person, newPassword)
    const sendCode = () => thief.post('/api/step-up/code', { codeDeliveryType: 'email' })
    expect(outcome(await sendCode())).toEqual([403, 'mailNotAfterReset'])
    const next = 'Third-horse-9-battery'
    const passwords = { oldPassword: newPassword, newPassword: next, confirmNewPassword: next }
    expect(outcome(await thief.put('/api/profile/password', passwords))).toEqual([403, 'freshProofRequired'])
  })

  const bankIdOwner = () => ({ ssn: bankid.newNumber(), ssnProof: 'bankid' as const })
  test.each([
    ['a phone of their own', () => ({ phoneNumber }), ['sms']],
    ['BankID', bankIdOwner, []],
  ] as const)(
    'the mailbox opens no account whose owner has %s, whatever they are asked for first',
    async (_, has, kinds) => {
      for (const usualFactor of [null, 'email'] as const) {
        const person = await portal.person({ loginMethod: 'local2FA', ...has() })
        const { db } = portal.system
        await db.updateTable('users').set({ usualFactor }).where('accountId', '=', person.accountId).execute()
        // One that was mailed before the mailbox proved the password is no way in either.
        const before = portal.browser()
        await factors.start(before, person, { codeDeliveryType: 'email' })
        const early = await outbox.codeSentTo(person.email)
        portal.advance(40)
        await reset(person)
        const browser = portal.browser()
        expect(outcome(await start(browser, person))).toBe(204)
        expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({
          ...{ asked: kinds[0] ?? null, kinds, bankid: kinds.length === 0 },
        })
        const asked = await start(browser, person, { codeDeliveryType: 'email' })
        expect(outcome(asked)).toEqual([403, 'mailNotAfterReset'])
        for (const one of [before, browser])
          expect(outcome(await verify(one, person, early))).toEqual([401, 'invalidCode'])
        portal.advance(1000)
      }
    },
  )

  test('BankID after the password signs in, and mail counts again', async () => {
    const { ssn, ssnProof } = bankIdOwner()
    const person = await portal.person({ loginMethod: 'local2FA', ssn, ssnProof })
    await reset(person)
    const browser = portal.browser()
    await start(browser, person)
    const { location } = await bankid.signIn(person.email, ssn, { browser })
    await browser.follow(await browser.get(location))
    expect((await browser.get('/api/me')).json()).toMatchObject({ signedInWith: 'bankid' })
    expect(outcome(await start(portal.browser(), person, { codeDeliveryType: 'email' }))).toBe(204)
  })

  test('nor is the phone given up for the mailbox in a session that the new password opened', async () => {
    const person = await portal.person({ phoneNumber })
    await reset(person)
    const thief = await portal.signedIn(person, newPassword)
    const sendCode = () => thief.post('/api/step-up/code', { codeDeliveryType: 'email' })
    expect(outcome(await sendCode())).toEqual([403, 'mailNotAfterReset'])
    expect((await thief.get('/api/step-up?for=factor')).json().steps).toEqual(['sms'])
    for (const other of ['+46701740643', null]) {
      const changed = await thief.put('/api/profile', { phoneNumber: other, currentPassword: newPassword })
      expect(outcome(changed)).toEqual([403, 'codeRequired'])
    }
    expect(outcome(await sendCode())).toEqual([403, 'mailNotAfterReset'])
  })

  test('somebody who has nothing but mail and password signs in with them, as before', async () => {
    const person = await portal.person({ loginMethod: 'local2FA' })
    await reset(person)
    const browser = portal.browser()
    expect(outcome(await start(browser, person))).toBe(204)
    expect(outcome(await verify(browser, person, await outbox.codeSentTo(person.email)))).toBe(204)
  })
})

test('nothing is added by a session that ended while the request was under way', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await factors.proveCode(browser, person)
  const { db } = portal.system
  const made = await db.transaction().execute(async (trx) => {
    // As "This was not me" does: it holds the person, and ends the sessions.
    await trx.selectFrom('users').select('accountId').where('accountId', '=', person.accountId).forUpdate().execute()
    const answer = browser.post('/api/profile/recovery-codes', {})
    await new Promise((resolve) => setTimeout(resolve, 300))
    await trx.deleteFrom('sessions').where('accountId', '=', person.accountId).execute()
    return { answer }
  })
  expect(outcome(await made.answer)).toEqual([401, 'signInRequired'])
  const codes = await db
    .selectFrom('recoveryCodes')
    .select('codeHash')
    .where('accountId', '=', person.accountId)
    .execute()
  expect(codes).toEqual([])
})
