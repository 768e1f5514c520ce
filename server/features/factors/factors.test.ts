import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OwnFactors } from '#contract/factors/factors.ts'
import { findUser } from '#server/accounts/stored-user.repository.ts'
import { removeEveryFactor } from '#server/credentials/factors/remove-every-factor.ts'
import { fromBase32, stepAt, totp } from '#server/credentials/factors/totp.ts'
import { found } from '#server/platform/problem.ts'
import { authenticator } from '#test/authenticator.ts'
import { type Client, outcome } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp()
  outbox = outboxOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

interface Somebody {
  accountId: string
  email: string
}
const own = async (browser: Client): Promise<OwnFactors> => (await browser.get('/api/profile/factors')).json()
const templatesTo = async ({ email }: Somebody) => (await outbox.messagesTo(email)).map(({ template }) => template)

/** Somebody who is signed in and has just proven a code, too. */
async function proven(person: Somebody): Promise<Client> {
  const browser = await portal.signedIn(person)
  await browser.post('/api/step-up/code', {})
  const code = await outbox.codeSentTo(person.email)
  expect(outcome(await browser.post('/api/step-up/code/verify', { code }))).toBe(204)
  return browser
}

/** The app on a phone: the base-32 secret, and its code so many steps from now. */
const phone =
  (secret: string) =>
  (later = 0) =>
    totp(fromBase32(secret), stepAt(portal.now()) + later)

/** Adds an app. @returns what its phone shows */
async function addApp(browser: Client) {
  const begun = (await browser.post('/api/profile/app', {})).json()
  const codeOf = phone(begun.secret)
  expect(outcome(await browser.post('/api/profile/app/confirm', { setup: begun.setup, code: codeOf() }))).toBe(204)
  return codeOf
}

/** Somebody with an app, whose last code was used long ago. */
async function withApp(more: Parameters<TestApp['person']>[0] = {}) {
  const person = await portal.person(more)
  const codeOf = await addApp(await proven(person))
  portal.advance(600)
  return { person, codeOf }
}

const start = (browser: Client, email: string, more: object = {}) =>
  browser.post('/api/start-2fa-login', { email, password: testPassword, ...more })
const verify = (browser: Client, email: string, code: string) =>
  browser.post('/api/verify-credentials-2fa', { email, password: testPassword, code })
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** The whole sign-in with a code. @returns the browser */
async function signedInWith(email: string, code: string): Promise<Client> {
  const browser = portal.browser()
  const { page } = await openSignIn(browser)
  expect(outcome(await start(browser, email))).toBe(204)
  expect(outcome(await verify(browser, email, code))).toBe(204)
  await browser.follow(await browser.submit(`${page}/login`, { email, login: email, password: '', code: '' }))
  return browser
}

describe('an authenticator app', () => {
  test('is added with one of its codes, and the person is mailed', async () => {
    const person = await portal.person()
    const browser = await proven(person)
    const { secret, uri, setup } = (await browser.post('/api/profile/app', {})).json()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/${encodeURIComponent(`Vestibule (${portal.system.config.companyName})`)}:${encodeURIComponent(person.email)}?secret=${secret}&issuer=${encodeURIComponent(`Vestibule (${portal.system.config.companyName})`)}&algorithm=SHA1&digits=6&period=30`,
    )
    const code = phone(secret)()
    const wrong = await browser.post('/api/profile/app/confirm', { setup, code: otherThan(code) })
    expect([wrong.statusCode, wrong.json().issues]).toEqual([422, [{ path: 'code', message: 'invalidCode' }]])
    expect((await own(browser)).app).toBeNull()
    expect(outcome(await browser.post('/api/profile/app/confirm', { setup, code }))).toBe(204)
    expect(await own(browser)).toMatchObject({ usual: 'app', kinds: ['app', 'email'], app: { lastUsedAt: null } })
    expect(await templatesTo(person)).toContain('factor-changed')
    // The code that set it up has been used, and nothing readable is stored.
    expect(outcome(await verify(portal.browser(), person.email, code))).toEqual([401, 'invalidCode'])
    const stored = await portal.system.db.selectFrom('authenticatorApps').selectAll().execute()
    expect(JSON.stringify(stored.map(({ secretSealed }) => secretSealed.toString('latin1')))).not.toContain(secret)
  })

  test('is not added after a password alone: a stolen one would bring a factor of its own', async () => {
    const browser = await portal.signedIn(await portal.person())
    for (const call of ['/api/profile/app', '/api/profile/recovery-codes'])
      expect(outcome(await browser.post(call, {}))).toEqual([403, 'codeRequired'])
    expect(outcome(await browser.put('/api/profile/factors/usual', { usual: 'email' }))).toEqual([403, 'codeRequired'])
  })

  test('is not added with what another session, or this one long ago, was given', async () => {
    const [one, other] = [await proven(await portal.person()), await proven(await portal.person())]
    const { secret, setup } = (await one.post('/api/profile/app', {})).json()
    const code = phone(secret)()
    expect(outcome(await other.post('/api/profile/app/confirm', { setup, code }))).toEqual([409, 'appSetupOver'])
    const person = await portal.person()
    const slow = await proven(person)
    const begun = (await slow.post('/api/profile/app', {})).json()
    portal.advance(15 * 60 + 1)
    await slow.post('/api/step-up/password', { password: testPassword })
    await slow.post('/api/step-up/code', {})
    await slow.post('/api/step-up/code/verify', { code: await outbox.codeSentTo(person.email) })
    const late = { setup: begun.setup, code: phone(begun.secret)() }
    expect(outcome(await slow.post('/api/profile/app/confirm', late))).toEqual([409, 'appSetupOver'])
  })

  test('signs in without any message, and is asked for first', async () => {
    const { person, codeOf } = await withApp()
    const before = (await outbox.messagesTo(person.email)).length
    const browser = portal.browser()
    await start(browser, person.email)
    expect((await browser.get('/api/2fa-factors')).json()).toEqual({
      asked: 'app',
      kinds: ['app', 'email'],
      phoneUnconfirmed: false,
      recoveryCodes: false,
      bankid: false,
    })
    const session = await signedInWith(person.email, codeOf())
    expect((await session.get('/api/me')).json()).toMatchObject({ signedInWith: 'passwordAndApp' })
    expect((await outbox.messagesTo(person.email)).length).toBe(before)
  })

  test('is asked for from somebody with the method password, too: the password alone no longer signs in', async () => {
    const { person } = await withApp({ loginMethod: 'local' })
    const { email } = person
    const browser = portal.browser()
    // Nobody learns of it without the password.
    expect((await browser.get(`/api/authType?email=${email}`)).json().authType).toBe('local')
    const send = (password: string) => browser.post('/api/verify-credentials', { email, password })
    expect(outcome(await send('Wrong-horse-7-battery'))).toEqual([401, 'invalidCredentials'])
    const right = await send(testPassword)
    expect([outcome(right), right.headers['set-cookie']]).toEqual([[403, 'secondStepNeeded'], undefined])
    // Somebody whom the organisation's method asks for a code is told nothing here.
    const other = await portal.person({ loginMethod: 'local2FA' })
    const asked = await browser.post('/api/verify-credentials', { email: other.email, password: testPassword })
    expect(outcome(asked)).toEqual([401, 'invalidCredentials'])
  })

  test('leaves a code by mail one click away', async () => {
    const { person } = await withApp()
    const browser = portal.browser()
    await start(browser, person.email)
    expect(outcome(await start(browser, person.email, { codeDeliveryType: 'email' }))).toBe(204)
    expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({ asked: 'email' })
    expect(outcome(await verify(browser, person.email, await outbox.codeSentTo(person.email)))).toBe(204)
  })

  test('works without script: the form asks for the code and takes it', async () => {
    const { person, codeOf } = await withApp()
    const { email } = person
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const submit = (code: string) =>
      browser.submit(`${page}/login`, { email, login: email, password: testPassword, code })
    expect((await submit('')).headers.location).toBe(`${page}/login?email=${encodeURIComponent(email)}`)
    await browser.follow(await submit(codeOf()))
    expect((await browser.get('/api/me')).statusCode).toBe(200)
  })

  test('that somebody else added goes by the button in the mail about it', async () => {
    const person = await portal.person()
    await addApp(await proven(person))
    const [mail] = await outbox.messagesTo(person.email)
    expect(mail).toMatchObject({ template: 'factor-changed', values: { change: 'appAdded' } })
    const path = new URL(String(mail?.values.link)).pathname
    expect((await portal.browser().submit(path, {})).statusCode).toBe(303)
    const stored = await portal.system.db.selectFrom('authenticatorApps').select('accountId').execute()
    expect(stored).not.toContainEqual({ accountId: person.accountId })
  })

  test('is removed, and then the password is enough again', async () => {
    const person = await portal.person()
    const browser = await proven(person)
    const codeOf = await addApp(browser)
    // The account has an app now: a removal asks for its code, and for nothing weaker.
    portal.advance(10 * 60 + 1)
    expect(outcome(await browser.delete('/api/profile/app'))).toEqual([403, 'freshProofRequired'])
    await browser.post('/api/step-up/password', { password: testPassword })
    expect((await browser.get('/api/step-up')).json()).toEqual({ fresh: false, steps: ['app'] })
    expect(outcome(await browser.post('/api/step-up/code/verify', { code: codeOf() }))).toBe(204)
    expect(outcome(await browser.delete('/api/profile/app'))).toBe(204)
    expect(await own(browser)).toMatchObject({ usual: null, app: null })
    expect(await templatesTo(person)).toContain('factor-changed')
    expect((await (await portal.signedIn(person)).get('/api/me')).json()).toMatchObject({ signedInWith: 'password' })
  })
})

describe('an app that is lost', () => {
  const confirm = (browser: Client, setup: string, code: string) =>
    browser.post('/api/profile/app/confirm', { setup, code })

  test('is replaced with a recovery code in an open session, without an admin, and its codes end', async () => {
    const person = await portal.person()
    const browser = await proven(person)
    const lost = await addApp(browser)
    const { codes } = (await browser.post('/api/profile/recovery-codes', {})).json()
    portal.advance(601)
    await browser.post('/api/step-up/code', {})
    await browser.post('/api/step-up/code/verify', { code: await outbox.codeSentTo(person.email) })
    await browser.post('/api/step-up/password', { password: testPassword })
    expect(outcome(await browser.post('/api/profile/app', {}))).toEqual([403, 'freshProofRequired'])
    expect((await browser.get('/api/step-up')).json()).toEqual({ fresh: false, steps: ['app', 'recoveryCode'] })
    const use = (code: string) => browser.post('/api/step-up/code/verify', { code })
    expect(outcome(await use('AAAAAAAA-AAAAAAAA-AAAAAAAA'))).toEqual([422, 'validationFailed'])
    expect(outcome(await use(codes[0]))).toBe(204)
    expect(outcome(await use(codes[0]))).toEqual([422, 'validationFailed'])
    const codeOf = await addApp(browser)
    const there = portal.browser()
    portal.advance(60)
    expect(outcome(await verify(there, person.email, lost()))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(there, person.email, codeOf()))).toBe(204)
    expect((await outbox.messagesTo(person.email)).map(({ values }) => values.change)).toEqual(
      expect.arrayContaining(['appReplaced', 'recoveryCodeUsed']),
    )
    const events = portal.system.db.selectFrom('auditEvents').select('name').where('targetId', '=', person.accountId)
    const names = (await events.orderBy('id').execute()).map(({ name }) => name)
    expect(names.slice(-6)).toEqual([
      ...['useRecoveryCode', 'strengthenSession', 'loginFailure', 'addAuthenticatorApp', 'removeAuthenticatorApp'],
      'loginFailure',
    ])
  })

  test('is not replaced by less than it, and stays until the new one has proven itself', async () => {
    const person = await portal.person()
    const browser = await proven(person)
    const codeOf = await addApp(browser)
    const { secret, setup } = (await browser.post('/api/profile/app', {})).json()
    expect(outcome(await confirm(browser, setup, '000000'))).toEqual([422, 'validationFailed'])
    portal.advance(601)
    expect(outcome(await confirm(browser, setup, phone(secret)()))).toEqual([403, 'freshProofRequired'])
    expect(outcome(await verify(portal.browser(), person.email, codeOf()))).toBe(204)
  })
})

describe('a code of an app', () => {
  test('works once, also in twenty requests at the same time', async () => {
    const { person, codeOf } = await withApp()
    const code = codeOf()
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(portal.browser(), person.email, code)))
    expect(answers.filter(({ statusCode }) => statusCode === 204).length).toBe(1)
    expect(outcome(await verify(portal.browser(), person.email, code))).toEqual([401, 'invalidCode'])
  })

  test('works no more after a later one, and a minute late', async () => {
    const { person, codeOf } = await withApp()
    const [earlier, present, later] = [codeOf(-1), codeOf(), codeOf(1)]
    expect(outcome(await verify(portal.browser(), person.email, present))).toBe(204)
    expect(outcome(await verify(portal.browser(), person.email, earlier))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(portal.browser(), person.email, later))).toBe(204)
    const next = codeOf(2)
    portal.advance(120)
    expect(outcome(await verify(portal.browser(), person.email, next))).toEqual([401, 'invalidCode'])
  })

  test('shares its wrong tries with mailed codes: twenty a day', async () => {
    const { person, codeOf } = await withApp()
    const browser = portal.browser()
    const wrong = otherThan(codeOf())
    for (let attempt = 1; attempt <= 10; attempt++) await verify(browser, person.email, wrong)
    await start(browser, person.email, { codeDeliveryType: 'email' })
    const mailed = await outbox.codeSentTo(person.email)
    for (let attempt = 1; attempt <= 10; attempt++) {
      portal.advance(60)
      await verify(browser, person.email, otherThan(mailed))
    }
    expect((await verify(browser, person.email, codeOf())).statusCode).toBe(429)
  })
})

describe('recovery codes', () => {
  const make = async (browser: Client): Promise<string[]> =>
    (await browser.post('/api/profile/recovery-codes', {})).json().codes

  test('are ten, and shown once', async () => {
    const browser = await proven(await portal.person())
    const codes = await make(browser)
    expect(codes.length).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
    expect((await own(browser)).recoveryCodes).toMatchObject({ left: 10 })
    expect(JSON.stringify(await own(browser))).not.toContain(codes[0])
  })

  test('stand in for the app, each once, and its use is mailed and an event', async () => {
    const person = await portal.person()
    const browser = await proven(person)
    const [first = '', second = ''] = await make(browser)
    await addApp(browser)
    portal.advance(600)
    const session = await signedInWith(person.email, first.toLowerCase().replaceAll('-', ' '))
    expect((await session.get('/api/me')).json()).toMatchObject({ signedInWith: 'passwordAndRecoveryCode' })
    expect((await own(session)).recoveryCodes).toMatchObject({ left: 9 })
    const [mail] = await outbox.messagesTo(person.email)
    expect(mail).toMatchObject({ template: 'factor-changed', values: { change: 'recoveryCodeUsed' } })
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('targetId', '=', person.accountId)
      .where('createdAt', '=', portal.now())
      .execute()
    expect(events.map(({ name }) => name)).toContain('useRecoveryCode')
    expect(outcome(await verify(portal.browser(), person.email, first))).toEqual([401, 'invalidCode'])
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(portal.browser(), person.email, second)))
    expect(answers.filter(({ statusCode }) => statusCode === 204).length).toBe(1)
  })

  test('of another person, and of an earlier set, are worth nothing', async () => {
    const person = await portal.person({ loginMethod: 'local2FA' })
    const stranger = await portal.person()
    const [strange = ''] = await make(await proven(stranger))
    const local = await portal.person()
    const browser = await proven(local)
    const [old = ''] = await make(browser)
    const [fresh = ''] = await make(browser)
    await addApp(browser)
    expect(outcome(await verify(portal.browser(), person.email, strange))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(portal.browser(), local.email, old))).toEqual([401, 'invalidCode'])
    expect(outcome(await verify(portal.browser(), local.email, fresh))).toBe(204)
  })
})

describe('a super user, or the auditor of the portal, in production', () => {
  const env = {
    NODE_ENV: 'production',
    BASE_URL: 'https://portal.test',
    MASTER_KEY: 'q8Zt0nV3mKx7RbY2LdWc5HfJ9sGaPuEe1iTo4vMzXk6',
    DATABASE_URL: 'postgres://unused.invalid/db',
    SMTP_URL: 'smtps://unused.invalid',
  }

  test.each([{ superUser: true }, { portalRole: 'auditor' as const }])(
    'needs a second factor after seven days, and does nothing else before: %o',
    async (role) => {
      const production = await testApp(env)
      try {
        const person = await production.person(role)
        const since = (days: number) =>
          production.system.pool.query('update users set operates_since = $2 where account_id = $1', [
            person.accountId,
            new Date(production.now().getTime() - days * 86_400_000),
          ])
        const browser = await production.signedIn(person)
        await since(6)
        expect(outcome(await browser.get('/api/users'))).toBe(200)
        await since(7)
        expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
        for (const call of ['/api/users', '/api/profile/sessions', '/api/audit-events'])
          expect(outcome(await browser.get(call))).toEqual([403, 'secondFactorRequired'])
        await browser.post('/api/step-up/code', {})
        const code = await outboxOf(production).codeSentTo(person.email)
        expect(outcome(await browser.post('/api/step-up/code/verify', { code }))).toBe(204)
        expect(outcome(await browser.put('/api/profile/factors/usual', { usual: 'email' }))).toBe(204)
        expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: false })
        expect(outcome(await browser.get('/api/users'))).toBe(200)
      } finally {
        await production.close()
      }
    },
  )
})

test('every change of a factor is one event of its person, and says no secret', async () => {
  const person = await portal.person()
  const browser = await proven(person)
  const eventsOf = async () =>
    (
      await portal.system.db
        .selectFrom('auditEvents')
        .select(['name', 'actor', 'target', 'changes'])
        .where('targetId', '=', person.accountId)
        .orderBy('id')
        .execute()
    ).filter(({ name }) => name !== 'loginSuccess' && name !== 'strengthenSession')
  const [recoveryCode = ''] = (await browser.post('/api/profile/recovery-codes', {})).json().codes
  await addApp(browser)
  await browser.put('/api/profile/factors/usual', { usual: 'email' })
  await browser.delete('/api/profile/app')
  await verify(portal.browser(), person.email, recoveryCode)
  const own = { actor: person.email, target: person.email, changes: [] as object[] }
  const chosen = [{ property: 'secondFactor', previousValue: 'app', newValue: 'email' }]
  expect(await eventsOf()).toEqual([
    { ...own, name: 'createRecoveryCodes' },
    { ...own, name: 'addAuthenticatorApp' },
    { ...own, name: 'chooseSecondFactor', changes: chosen },
    { ...own, name: 'removeAuthenticatorApp' },
    { ...own, name: 'useRecoveryCode', actor: null },
  ])
})

test('a person chooses what sign-in asks for first, among what they have', async () => {
  const person = await portal.person({ phoneNumber: '+46701740605' })
  const browser = await proven(person)
  expect(outcome(await browser.put('/api/profile/factors/usual', { usual: 'app' }))).toEqual([422, 'validationFailed'])
  expect(outcome(await browser.put('/api/profile/factors/usual', { usual: 'sms' }))).toBe(204)
  expect(await own(browser)).toMatchObject({ usual: 'sms', kinds: ['sms', 'email'] })
  const another = portal.browser()
  portal.advance(600)
  expect(outcome(await start(another, person.email))).toBe(204)
  expect((await another.get('/api/2fa-factors')).json()).toMatchObject({ asked: 'sms' })
  const [sms] = await outbox.messagesTo('+46701740605')
  expect(outcome(await verify(another, person.email, String(sms?.values.code)))).toBe(204)
})

describe('codes by mail', () => {
  const switchMail = (browser: Client, on: boolean) => browser.put('/api/profile/factors/mail', { on })
  const byMail = { codeDeliveryType: 'email' }
  async function withTwo() {
    const person = await portal.person({ loginMethod: 'local2FA' })
    const browser = await factorsOf(portal).signedInByMail(person)
    const codeOf = await addApp(browser)
    const device = authenticator()
    const challenge = await browser.post('/api/profile/passkeys/challenge', { kind: 'passkey' })
    const { key, credential } = device.create(challenge.json())
    const added = await browser.post('/api/profile/passkeys', { name: 'My phone', credential })
    expect(outcome(added)).toBe(201)
    const challenged = (await browser.post('/api/step-up/passkey', {})).json()
    await browser.post('/api/step-up/passkey/verify', { credential: device.use(key, challenged) })
    return { person, browser, codeOf, id: added.json().id as string }
  }

  test('are switched off by who has two strong factors, with a fresh proof, an event and a mail, and on again', async () => {
    const { person, browser } = await withTwo()
    expect(await own(browser)).toMatchObject({ mail: { off: false, mayBeOff: true, isAll: false } })
    expect(outcome(await browser.put('/api/profile/factors/usual', { usual: 'email' }))).toBe(204)
    portal.advance(601)
    expect(outcome(await switchMail(browser, false))).toEqual([403, 'freshProofRequired'])
    const { browser: other, person: owner } = await withTwo()
    await other.put('/api/profile/factors/usual', { usual: 'email' })
    expect(outcome(await switchMail(other, false))).toBe(204)
    expect(await own(other)).toMatchObject({ mail: { off: true }, kinds: ['passkey', 'app'], usual: 'passkey' })
    expect(outcome(await start(portal.browser(), owner.email, byMail))).toEqual([403, 'mailNotAfterReset'])
    expect(outcome(await other.post('/api/step-up/code', {}))).toEqual([403, 'mailNotAfterReset'])
    expect(outcome(await switchMail(other, false))).toBe(204)
    expect(outcome(await switchMail(other, true))).toBe(204)
    portal.advance(60)
    expect(outcome(await start(portal.browser(), owner.email, byMail))).toBe(204)
    const changes = (await outbox.messagesTo(owner.email)).filter(({ values }) => /mail/.test(String(values.change)))
    expect(changes.map(({ values }) => values.change)).toEqual(['mailCodesOn', 'mailCodesOff'])
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('targetId', '=', owner.accountId)
      .where('name', '=', 'chooseSecondFactor')
      .orderBy('id')
      .execute()
    const change = (on: boolean) => [{ property: 'mailCodes', previousValue: String(!on), newValue: String(on) }]
    const changed = events.map(({ changes }) => changes)
    expect(changed).toHaveLength(3)
    expect(changed).toEqual(expect.arrayContaining([change(false), change(true)]))
    expect(person.email).not.toBe(owner.email)
  })

  test('stay on for who has one strong factor, and are off while any is left; help switches them on', async () => {
    const { person, codeOf } = await withApp()
    const browser = portal.browser()
    await factorsOf(portal).start(browser, person)
    const signedIn = await openSignIn(browser)
    await factorsOf(portal).complete(browser, signedIn.page, person, codeOf())
    expect(outcome(await switchMail(browser, false))).toEqual([409, 'twoStrongNeeded'])

    const two = await withTwo()
    expect(outcome(await switchMail(two.browser, false))).toBe(204)
    expect(outcome(await two.browser.delete(`/api/profile/passkeys/${two.id}`))).toBe(204)
    expect(outcome(await start(portal.browser(), two.person.email, byMail))).toEqual([403, 'mailNotAfterReset'])
    const { db, config, outbox: post } = portal.system
    const owner = found(await findUser(db, two.person.accountId))
    portal.advance(60)
    await removeEveryFactor({ config, outbox: post, now: portal.now() }, db, owner, () => {})
    expect(outcome(await start(portal.browser(), two.person.email, byMail))).toBe(204)
  })

  test('are said to prove both steps to who has nothing else, and to nobody else', async () => {
    const { person } = await withApp()
    for (const [one, isAll] of [
      [await portal.person(), true],
      [await portal.person({ phoneNumber: '+46701740605' }), false],
      [person, false],
    ] as const)
      expect(
        (
          await own(
            await factorsOf(portal)
              .signedInByMail(one)
              .catch(() => portal.signedIn(one)),
          )
        ).mail.isAll,
      ).toBe(isAll)
  })
})
