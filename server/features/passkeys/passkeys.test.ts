import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PasskeyKind } from '#contract/passkeys/passkeys.ts'
import { signInChallenge } from '#server/credentials/passkeys/challenges.ts'
import { authenticator, type Key } from '#test/authenticator.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

const device = authenticator()
const url = '/api/profile/passkeys'
type Options = NonNullable<Parameters<TestApp['person']>[0]>
type Odd = Parameters<typeof device.use>[2]

async function enterCode(browser: Client, email: string) {
  await browser.post('/api/step-up/code', {})
  const code = await outboxOf(portal).codeSentTo(email)
  expect((await browser.post('/api/step-up/code/verify', { code })).statusCode).toBe(204)
}

/** Somebody who has just signed in with password and code. */
async function strongPerson(options: Options = {}) {
  const person = await portal.person(options)
  const browser = await portal.signedIn(person)
  await enterCode(browser, person.email)
  return { ...person, browser }
}

/** A browser in which somebody with a key has signed in with password and mailed code. */
async function byMail(email: string) {
  // Until another code may be sent.
  portal.advance(60)
  const browser = portal.browser()
  const { page } = await openSignIn(browser)
  await browser.post('/api/start-2fa-login', { email, password: testPassword, codeDeliveryType: 'email' })
  const code = await outboxOf(portal).codeSentTo(email)
  await browser.post('/api/verify-credentials-2fa', { email, password: testPassword, code })
  await browser.follow(await browser.submit(`${page}/login`, { email, password: '' }))
  return browser
}

const begin = (browser: Client, kind: PasskeyKind = 'passkey', more: object = {}) =>
  browser.post(`${url}/challenge`, { kind, ...more })

async function register(browser: Client, kind: PasskeyKind = 'passkey', odd: Odd = {}, more: object = {}) {
  const options = (await begin(browser, kind, more)).json()
  const { key, credential } = device.create(options, odd)
  const answer = await browser.post(url, { name: 'My phone', credential })
  return { key, credential, options, answer }
}

async function withPasskey(options: Options = {}, odd: Odd = {}) {
  const person = await strongPerson(options)
  const { key, answer } = await register(person.browser, 'passkey', odd)
  expect(answer.statusCode).toBe(201)
  return { ...person, key, id: answer.json().id as string }
}

/** Proves the key in this session. */
async function proveBy(browser: Client, key: Key) {
  const credential = device.use(key, (await browser.post('/api/step-up/passkey', {})).json())
  expect((await browser.post('/api/step-up/passkey/verify', { credential })).statusCode).toBe(204)
}

const challengeOf = (uid: string) => ({ challenge: signInChallenge(portal.system.keys, uid), rpId: 'portal.test' })

/** Signs in with a passkey alone, in a new browser. */
async function signInBy(key: Key, odd: Odd = {}, browser = portal.browser()) {
  const { uid, page } = await openSignIn(browser)
  const credential = JSON.stringify(device.use(key, challengeOf(uid), odd))
  const post = () => browser.submit(`${page}/passkey`, { credential })
  const answer = await post()
  return { browser, answer, post, uid, page, credential, where: String(answer.headers.location) }
}
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const refused = expect.stringMatching(/^\/interaction\/[\w-]+\?error=passkeyRefused$/)
const eventsOf = async (accountId: string) => {
  const { db } = portal.system
  const rows = await db
    .selectFrom('auditEvents')
    .select('name')
    .where('targetId', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
const mailsTo = async (email: string) =>
  (await outboxOf(portal).messagesTo(email)).filter(({ template }) => template === 'passkey-changed').reverse()

describe('a passkey', () => {
  test('is added after password and code, mailed, listed, and signs in alone', async () => {
    const { browser, key, accountId, email } = await withPasskey({ firstName: 'Anna', lastName: 'Ek' })
    expect((await mailsTo(email)).map(({ values }) => values)).toMatchObject([{ what: 'added', name: 'My phone' }])
    const { where, browser: other } = await signInBy(key)
    expect(where).toBe('/')
    expect((await other.get('/api/me')).json()).toMatchObject({ accountId, signedInWith: 'passkey' })
    const { passkeys, signal } = (await browser.get(url)).json()
    expect(passkeys).toMatchObject([{ name: 'My phone', kind: 'passkey', backedUp: true }])
    expect(passkeys[0].lastUsedAt).toBe(portal.now().toISOString())
    expect(signal).toMatchObject({
      rpId: 'portal.test',
      name: email,
      displayName: 'Anna Ek',
      allAcceptedCredentialIds: [key.id],
    })
    expect(await eventsOf(accountId)).toEqual(expect.arrayContaining(['createPasskey', 'loginSuccess']))
  })

  test('is called by a random handle that says nothing of the account', async () => {
    const { key, accountId } = await withPasskey()
    expect(Buffer.from(key.userHandle, 'base64url')).toHaveLength(32)
    expect(Buffer.from(key.userHandle, 'base64url').toString('hex')).not.toContain(accountId.replaceAll('-', ''))
  })

  test('meets an organisation that asks for two factors, and not one that asks for BankID', async () => {
    const { key, accountId } = await withPasskey()
    const two = await portal.organization('Two factors', 'local2FA')
    const bankid = await portal.organization('BankID', 'bankid')
    for (const { organizationId } of [two, bankid]) await portal.join(accountId, organizationId, 'regular', 'joined')
    const { browser } = await signInBy(key)
    const { organizations } = (await browser.get('/api/start')).json()
    expect(Object.fromEntries(organizations.map(({ name, needs }: Record<string, string>) => [name, needs]))).toEqual({
      'Two factors': null,
      BankID: 'bankid',
    })
  })

  test('is renamed and removed by its owner alone, who is mailed', async () => {
    const { browser, id, email, key, accountId } = await withPasskey()
    const other = await strongPerson()
    expect((await other.browser.put(`${url}/${id}`, { name: 'Mine now' })).statusCode).toBe(404)
    expect((await other.browser.delete(`${url}/${id}`)).statusCode).toBe(404)
    expect((await browser.put(`${url}/${id}`, { name: 'Old phone' })).json()).toMatchObject({ name: 'Old phone' })
    // The session has proven a code, and the account has a key.
    expect((await browser.delete(`${url}/${id}`)).json().message).toBe('freshProofRequired')
    await proveBy(browser, key)
    expect((await browser.delete(`${url}/${id}`)).statusCode).toBe(204)
    expect((await browser.get(url)).json()).toMatchObject({ passkeys: [], signal: { allAcceptedCredentialIds: [] } })
    expect((await mailsTo(email)).map(({ values }) => values.what)).toEqual(['added', 'removed'])
    expect((await signInBy(key)).where).toEqual(refused)
    expect(await eventsOf(accountId)).toEqual(expect.arrayContaining(['updatePasskey', 'deletePasskey']))
    // It stays as a record.
    const kept = await portal.system.db.selectFrom('passkeys').selectAll().where('id', '=', id).execute()
    expect(kept).toMatchObject([{ endedBecause: 'removed', createdAmr: ['pwd', 'otp', 'email', 'mfa'] }])
  })

  test('that was removed is no longer among those that the browser is told to keep', async () => {
    const { browser, id, key } = await withPasskey()
    await proveBy(browser, key)
    const { key: other } = await register(browser)
    const accepted = async () => (await browser.get(url)).json().signal.allAcceptedCredentialIds
    expect(await accepted()).toEqual([key.id, other.id])
    expect((await browser.delete(`${url}/${id}`)).statusCode).toBe(204)
    expect(await accepted()).toEqual([other.id])
  })

  test('that is the last way in stays', async () => {
    const { browser, id, accountId, key } = await withPasskey()
    await proveBy(browser, key)
    await portal.system.db.updateTable('users').set({ passwordHash: null }).where('accountId', '=', accountId).execute()
    const answer = await browser.delete(`${url}/${id}`)
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'lastWayIn'])
  })

  test('is one of ten at most, also when several are added at the same time', async () => {
    const { key } = await withPasskey()
    const { browser } = await signInBy(key)
    const begun = []
    for (let count = 0; count < 12; count++) begun.push((await begin(browser)).json())
    const answers = await Promise.all(
      begun.map((options) => browser.post(url, { credential: device.create(options).credential })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(9)
    expect((await browser.get(url)).json().passkeys).toHaveLength(10)
    expect((await begin(browser)).json().message).toBe('tooManyPasskeys')
  })

  test('is offered until the person says not now, for 30 days, and to nobody who has one', async () => {
    const { browser, ...person } = await strongPerson()
    const offer = async () => (await browser.get(url)).json().offer
    expect(await offer()).toBe(true)
    expect((await browser.post(`${url}/not-now`, {})).statusCode).toBe(204)
    expect(await offer()).toBe(false)
    portal.advance(31 * 24 * 3600)
    const later = await portal.signedIn(person)
    expect((await later.get(url)).json().offer).toBe(true)
    const has = await withPasskey()
    expect((await has.browser.get(url)).json().offer).toBe(false)
  })
})

describe('a key that the browser makes by itself', () => {
  const onTheWay = { onTheWay: true }

  test('is asked for once, needs nobody to touch it, and counts from its first verified use', async () => {
    const { browser, accountId } = await strongPerson()
    expect((await browser.get(url)).json().makeOnTheWay).toBe(true)
    const { key, answer } = await register(browser, 'passkey', { present: false, verified: false }, onTheWay)
    expect(answer.statusCode).toBe(201)
    expect((await browser.get(url)).json().makeOnTheWay).toBe(false)
    // No second factor yet.
    expect((await browser.post('/api/step-up/passkey', {})).statusCode).toBe(409)
    expect((await signInBy(key, { verified: false })).where).toEqual(refused)
    expect((await signInBy(key)).where).toBe('/')
    expect((await browser.post('/api/step-up/passkey', {})).statusCode).toBe(200)
    const [row] = await portal.system.db.selectFrom('passkeys').selectAll().where('accountId', '=', accountId).execute()
    expect(row).toMatchObject({ verified: true, onTheWay: true })
  })

  test('is not accepted where a person was to be there', async () => {
    const { browser } = await strongPerson()
    const { answer } = await register(browser, 'passkey', { present: false, verified: false })
    expect(answer.statusCode).toBe(422)
  })
})

describe('a security key', () => {
  test('never signs in alone, and strengthens a session', async () => {
    const { browser, email } = await strongPerson()
    const { key, answer } = await register(browser, 'securityKey', { verified: false, synced: false, counter: 1 })
    expect(answer.json()).toMatchObject({ kind: 'securityKey' })
    expect((await signInBy(key, { counter: 2 })).where).toEqual(refused)
    const weak = await byMail(email)
    const options = (await weak.post('/api/step-up/passkey', {})).json()
    expect(options).toMatchObject({ userVerification: 'discouraged', allowCredentials: [{ id: key.id }] })
    const credential = device.use(key, options, { verified: false, synced: false, counter: 3 })
    expect((await weak.post('/api/step-up/passkey/verify', { credential })).statusCode).toBe(204)
    expect((await weak.get('/api/me')).json().signedInWith).toBe('passwordAndPasskey')
  })

  test('whose counter went back is ended at once, sign-in no longer asks for it, and its owner is mailed', async () => {
    const { browser, email, accountId } = await strongPerson()
    const { key } = await register(browser, 'securityKey', { synced: false, counter: 99 })
    const options = (await browser.post('/api/step-up/passkey', {})).json()
    const credential = device.use(key, options, { synced: false, counter: 3 })
    expect((await browser.get('/api/profile/factors')).json().usual).toBe('passkey')
    expect((await browser.post('/api/step-up/passkey/verify', { credential })).statusCode).toBe(422)
    expect((await browser.get(url)).json().passkeys).toEqual([])
    expect((await browser.get('/api/profile/factors')).json().usual).toBeNull()
    expect((await mailsTo(email)).map(({ values }) => values.what)).toEqual(['added', 'stopped'])
    expect(await eventsOf(accountId)).toContain('stopPasskey')
    // Who copied the key, and knows the password, is not let in by the password alone.
    expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
    const alone = await portal.browser().post('/api/verify-credentials', { email, password: testPassword })
    expect([alone.statusCode, alone.json().message]).toEqual([403, 'secondStepNeeded'])
  })

  test('is not ended by a counter that nobody signed', async () => {
    const { browser } = await strongPerson()
    const { key } = await register(browser, 'securityKey', { synced: false, counter: 99 })
    const options = (await browser.post('/api/step-up/passkey', {})).json()
    const credential = device.use(key, options, { synced: false, counter: 3 })
    credential.response.signature = device.use(key, options, { synced: false, counter: 4 }).response.signature
    expect((await browser.post('/api/step-up/passkey/verify', { credential })).statusCode).toBe(422)
    expect((await browser.get(url)).json().passkeys).toHaveLength(1)
  })
})

describe('after the password', () => {
  /** A browser that has proven the password, and what it is offered. */
  async function withPasswordProven(email: string) {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    await browser.post('/api/start-2fa-login', { email, password: testPassword })
    return { browser, page, options: () => browser.post('/api/2fa-passkey', {}) }
  }
  const verify = (browser: Client, email: string, credential: object) =>
    browser.post('/api/verify-credentials-passkey', { email, password: testPassword, credential })

  test('a security key is the second factor, and makes a whole sign-in', async () => {
    const { browser: own, email } = await strongPerson()
    const { key } = await register(own, 'securityKey', { verified: false, synced: false, counter: 1 })
    const { browser, page, options } = await withPasswordProven(email)
    expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({ asked: 'passkey' })
    const offered = (await options()).json()
    expect(offered.allowCredentials).toMatchObject([{ id: key.id }])
    const credential = device.use(key, offered, { verified: false, synced: false, counter: 2 })
    expect((await verify(browser, email, credential)).statusCode).toBe(204)
    await browser.follow(await browser.submit(`${page}/login`, { email, password: '' }))
    expect((await browser.get('/api/me')).json().signedInWith).toBe('passwordAndPasskey')
  })

  test('no list is sent to a browser that has proven no password', async () => {
    const { email } = await withPasskey()
    const browser = portal.browser()
    await openSignIn(browser)
    expect((await browser.post('/api/2fa-passkey', {})).statusCode).toBe(404)
    await browser.post('/api/start-2fa-login', { email, password: 'Wrong-horse-7-battery' })
    expect((await browser.post('/api/2fa-passkey', {})).statusCode).toBe(404)
  })

  test('the key of somebody else, a used challenge, and another browser are refused', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()]
    const { browser, options } = await withPasswordProven(one.email)
    const offered = (await options()).json()
    expect((await verify(browser, one.email, device.use(other.key, offered))).json().message).toBe('passkeyRefused')
    // The challenge is used up.
    expect((await verify(browser, one.email, device.use(one.key, offered))).json().message).toBe('passkeyRefused')
    const again = device.use(one.key, (await options()).json())
    const elsewhere = portal.browser()
    expect((await verify(elsewhere, one.email, again)).statusCode).toBe(401)
    const wrong = { email: one.email, password: 'Wrong-horse-7-battery', credential: again }
    expect((await browser.post('/api/verify-credentials-passkey', wrong)).json().message).toBe('invalidCredentials')
  })
})

describe('enrolment', () => {
  const statusOf = async (browser: Client) => (await begin(browser)).statusCode

  test('is refused to a session after a password alone', async () => {
    const browser = await portal.signedIn(await portal.person())
    expect(await statusOf(browser)).toBe(403)
  })

  test('is refused ten minutes after the sign-in, and allowed after the proof again', async () => {
    const { browser, email } = await strongPerson()
    portal.advance(11 * 60)
    expect((await begin(browser)).json().message).toBe('freshProofRequired')
    await browser.post('/api/step-up/password', { password: testPassword })
    expect((await begin(browser)).json().message).toBe('codeRequired')
    await enterCode(browser, email)
    expect(await statusOf(browser)).toBe(200)
  })

  test('needs the phone that the person has proven, and a code by mail is not enough, in whatever browser', async () => {
    const person = await portal.person({ phoneNumber: '+46701740606' })
    const own = await portal.signedIn(person)
    await own.post('/api/step-up/code', { codeDeliveryType: 'sms' })
    const code = await outboxOf(portal).codeSentTo('+46701740606')
    expect((await own.post('/api/step-up/code/verify', { code })).statusCode).toBe(204)
    expect(await statusOf(own)).toBe(200)
    // Who has the password and the mailbox.
    const thief = await portal.signedIn(person)
    await enterCode(thief, person.email)
    expect((await begin(thief)).json().message).toBe('moreThanMailRequired')
    expect((await thief.get(url)).json().makeOnTheWay).toBe(false)
    expect((await thief.get('/api/step-up?for=factor')).json()).toEqual({ fresh: true, steps: [] })
    expect((await thief.get('/api/step-up?for=passkey')).json()).toEqual({ fresh: false, steps: ['sms'] })
    portal.advance(60)
    await thief.post('/api/step-up/code', { codeDeliveryType: 'sms' })
    const second = await outboxOf(portal).codeSentTo('+46701740606')
    expect((await thief.post('/api/step-up/code/verify', { code: second })).statusCode).toBe(204)
    expect((await thief.get('/api/step-up?for=passkey')).json()).toEqual({ fresh: true, steps: [] })
    expect(await statusOf(thief)).toBe(200)
  })

  test('needs BankID where the person has it, and a code by mail is not enough', async () => {
    const ssn = bankIdOf(portal).newNumber()
    const person = await portal.person({ ssn, ssnProof: 'bankid' })
    const thief = await portal.signedIn(person)
    await enterCode(thief, person.email)
    expect((await begin(thief)).json().message).toBe('moreThanMailRequired')
    expect((await thief.get('/api/step-up?for=passkey')).json()).toEqual({ fresh: false, steps: ['bankid'] })
  })

  test('needs the passkey that the account has', async () => {
    const { email, key } = await withPasskey()
    expect(await statusOf(await byMail(email))).toBe(403)
    expect(await statusOf((await signInBy(key)).browser)).toBe(200)
  })

  test('is refused where the session became too weak after the challenge', async () => {
    const { browser } = await strongPerson()
    const options = (await begin(browser)).json()
    portal.advance(11 * 60)
    const { credential } = device.create(options)
    expect((await browser.post(url, { credential })).statusCode).toBe(403)
  })

  test('takes a challenge once, of its own session, and for five minutes', async () => {
    const { browser } = await strongPerson()
    const other = await strongPerson()
    const options = (await begin(browser, 'securityKey')).json()
    const { credential } = device.create(options)
    // Of the session of another account.
    expect((await other.browser.post(url, { credential })).statusCode).toBe(422)
    expect((await browser.post(url, { credential })).statusCode).toBe(201)
    const late = await strongPerson()
    const later = (await begin(late.browser)).json()
    portal.advance(5 * 60 + 1)
    expect((await late.browser.post(url, device.create(later))).statusCode).toBe(422)
  })

  test('never takes over the key of another account', async () => {
    const { key } = await withPasskey()
    const { browser } = await strongPerson()
    const options = (await begin(browser)).json()
    const { credential } = device.create(options)
    // The same credential id, with the key of the attacker.
    const stolen = Buffer.from(credential.response.attestationObject, 'base64url')
    const at = stolen.indexOf(Buffer.from(credential.id, 'base64url'))
    Buffer.from(key.id, 'base64url').copy(stolen, at)
    const forged = {
      ...credential,
      id: key.id,
      rawId: key.id,
      response: { ...credential.response, attestationObject: stolen.toString('base64url') },
    }
    expect((await browser.post(url, { credential: forged })).json().message).toBe('passkeyNotAccepted')
    expect((await signInBy(key)).where).toBe('/')
  })

  test.each([
    ['of another origin', { origin: 'https://portal.test.evil.example' }],
    ['of another RP', { rpId: 'evil.example' }],
    ['of a use instead of a new key', { type: 'webauthn.get' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['without verification', { verified: false }],
  ])('takes no key %s', async (_, odd) => {
    const { browser } = await strongPerson()
    expect((await register(browser, 'passkey', odd)).answer.statusCode).toBe(422)
  })

  test('is not for an account that signs in at a company, nor for one that nobody has proven', async () => {
    const unproven = await portal.signedIn(await portal.person({ emailProof: null }))
    expect((await begin(unproven)).json().message).toBe('passkeysNotAllowed')
    expect((await unproven.get(url)).json()).toMatchObject({ allowed: false, offer: false, makeOnTheWay: false })
    const { browser, accountId, id, key } = await withPasskey()
    await proveBy(browser, key)
    const samlConfigId = await portal.samlConfig()
    await portal.system.db
      .updateTable('users')
      .set({ loginMethod: 'saml', samlConfigId, passwordHash: null })
      .where('accountId', '=', accountId)
      .execute()
    expect((await begin(browser)).json().message).toBe('passkeysNotAllowed')
    // What it had has ended.
    const rows = await portal.system.db.selectFrom('passkeys').selectAll().where('id', '=', id).execute()
    expect(rows).toMatchObject([{ endedBecause: 'companySignIn' }])
  })
})

describe('a sign-in by passkey', () => {
  test.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a neighbouring origin', { origin: 'http://portal.test:8080' }],
    ['of another RP', { rpId: 'evil.example' }],
    ['without verification', { verified: false }],
    ['without a person', { present: false }],
    ['of a new key instead of a use', { type: 'webauthn.create' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['with the challenge of another sign-in', { challenge: 'AAAA' }],
    ['with the handle of somebody else', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['without a handle', { userHandle: null }],
    ['of a key that says now that it is not synced', { synced: false }],
  ])('is refused %s', async (_, odd) => {
    const { key, accountId } = await withPasskey()
    const { where, browser } = await signInBy(key, odd)
    expect(where).toEqual(refused)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await eventsOf(accountId)).at(-1)).toBe('loginFailure')
  })

  test('is refused the same way for an unknown passkey, and for nonsense', async () => {
    const { key } = await withPasskey()
    expect((await signInBy({ ...key, id: 'AAAA' })).where).toEqual(refused)
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    for (const credential of ['', '{', '[]', 'null', JSON.stringify({ id: 'x' })])
      expect((await browser.submit(`${page}/passkey`, { credential })).headers.location).toEqual(refused)
  })

  test('is not shut out by the failures of colleagues behind the same address, in the own browser', async () => {
    const { key, browser } = await withPasskey()
    const colleague = await withPasskey()
    await browser.submit('/logout', {})
    for (let failure = 0; failure < 20; failure++) await signInBy({ ...colleague.key, id: 'AAAA' })
    expect((await signInBy(colleague.key)).where).toMatch(/error=tooManyRequests$/)
    expect((await signInBy(key, {}, browser)).where).toBe('/')
    // The known browser has a budget of its own.
    await browser.submit('/logout', {})
    for (let failure = 0; failure < 10; failure++) await signInBy(key, { userHandle: null }, browser)
    expect((await signInBy(key, {}, browser)).where).toMatch(/error=tooManyRequests$/)
  })

  test('is good once: a proof that somebody saw signs nobody in again', async () => {
    const { key } = await withPasskey()
    const first = await signInBy(key)
    const thief = portal.browser()
    const { page } = await openSignIn(thief)
    expect((await thief.submit(`${page}/passkey`, { credential: first.credential })).headers.location).toEqual(refused)
    // In the same browser the sign-in is over.
    await first.browser.submit('/logout', {})
    await first.post()
    expect(await isSignedIn(first.browser)).toBe(false)
  })

  test('makes one session of twenty parallel uses of one proof', async () => {
    const { key, accountId } = await withPasskey()
    const browser = portal.browser()
    const { uid, page } = await openSignIn(browser)
    const credential = JSON.stringify(device.use(key, challengeOf(uid)))
    const before = await sessionsOf(accountId)
    await Promise.all(Array.from({ length: 20 }, () => browser.submit(`${page}/passkey`, { credential })))
    expect(await sessionsOf(accountId)).toBe(before + 1)
    // The key is as good as before.
    expect((await signInBy(key)).where).toBe('/')
  })

  test('is of the browser that began it', async () => {
    const { key } = await withPasskey()
    const { uid, page } = await openSignIn(portal.browser())
    const other = portal.browser()
    await openSignIn(other)
    const credential = JSON.stringify(device.use(key, challengeOf(uid)))
    expect((await other.submit(`${page}/passkey`, { credential })).headers.location).toMatch(/^\/login/)
    expect(await isSignedIn(other)).toBe(false)
  })

  test('is refused to a passive account, and to one with BankID while an organisation demands BankID', async () => {
    const { key, accountId } = await withPasskey()
    const change = (values: object) =>
      portal.system.db.updateTable('users').set(values).where('accountId', '=', accountId).execute()
    await change({ passiveAt: portal.now() })
    expect((await signInBy(key)).where).toEqual(refused)
    await change({ passiveAt: null, loginMethod: 'bankid', passwordHash: null })
    expect((await signInBy(key)).where).toBe('/')
    const { organizationId } = await portal.organization(undefined, 'bankid')
    await portal.join(accountId, organizationId)
    expect((await signInBy(key)).where).toEqual(refused)
  })

  test('is limited by address, and the right ones are given back', async () => {
    const { key } = await withPasskey()
    for (let count = 0; count < 25; count++) expect((await signInBy(key)).where).toBe('/')
    for (let count = 0; count < 20; count++) await signInBy({ ...key, id: 'AAAA' })
    expect((await signInBy(key)).where).toContain('error=tooManyRequests')
  })
})

test('the button of the mail ends the key that somebody else added, and locks the sign-in', async () => {
  const { key, email, accountId } = await withPasskey()
  const link = String((await mailsTo(email))[0]?.values.link)
  const token = link.split('/').at(-1)
  await portal.browser().submit(`/not-me/${token}`, {})
  expect((await signInBy(key)).where).toEqual(refused)
  const rows = await portal.system.db.selectFrom('passkeys').selectAll().where('accountId', '=', accountId).execute()
  expect(rows).toMatchObject([{ endedBecause: 'notMe' }])
})

describe('a person with BankID', () => {
  test('adds a passkey after BankID where no organisation demands it', async () => {
    const bankid = bankIdOf(portal)
    const ssn = bankid.newNumber()
    const person = await portal.person({ loginMethod: 'bankid', ssn })
    const { browser, location } = await bankid.signIn(person.email, ssn)
    await browser.follow(await browser.get(location))
    expect((await register(browser)).answer.statusCode).toBe(201)
  })
})

const sessionsOf = async (accountId: string) => {
  const { db } = portal.system
  return (await db.selectFrom('sessions').select('uid').where('accountId', '=', accountId).execute()).length
}

test('password and code still sign in beside a passkey', async () => {
  const { email } = await withPasskey()
  expect(await isSignedIn(await byMail(email))).toBe(true)
})

test('a key of another domain, after the portal has moved, is asked for nowhere', async () => {
  const { email, key, accountId, browser: old } = await withPasskey()
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const { organizationId } = await portal.organization()
  await portal.join(accountId, organizationId, 'organizationAdmin', 'joined')
  const moveTo = (rpId: string) =>
    portal.system.db.updateTable('passkeys').set({ rpId }).where('accountId', '=', accountId).execute()
  await moveTo('old.test')
  // Not at sign-in.
  const browser = portal.browser()
  const { page } = await openSignIn(browser)
  portal.advance(60)
  await browser.post('/api/start-2fa-login', { email, password: testPassword })
  expect((await browser.get('/api/2fa-factors')).json()).toMatchObject({ asked: 'email', kinds: ['email'] })
  expect((await browser.post('/api/2fa-passkey', {})).statusCode).toBe(404)
  const code = await outboxOf(portal).codeSentTo(email)
  await browser.post('/api/verify-credentials-2fa', { email, password: testPassword, code })
  await browser.follow(await browser.submit(`${page}/login`, { email, password: '' }))
  expect((await signInBy(key)).where).toEqual(refused)
  // Not before a dangerous act: password and code are all that there is.
  expect((await browser.get('/api/step-up?for=factor')).json()).toEqual({ fresh: true, steps: [] })
  expect((await browser.post('/api/step-up/passkey', {})).statusCode).toBe(409)
  expect((await browser.get('/api/profile/factors')).json().kinds).toEqual(['email'])
  expect((await browser.get(url)).json()).toMatchObject({ passkeys: [], signal: { allAcceptedCredentialIds: [] } })
  // Nor is it the key that an organisation asks of its admins.
  const rules = (await root.get(`/api/organizations/${organizationId}/sign-in-rules`)).json()
  expect(rules.adminsWithoutKey).toMatchObject([{ accountId }])
  // Nobody makes another one before the operator has ended these.
  const { answer } = await register(browser)
  expect([answer.statusCode, answer.json().message]).toEqual([409, 'passkeysOfOtherDomain'])
  portal.advance(11 * 60)
  expect((await old.get('/api/step-up')).json()).toEqual({ fresh: false, steps: ['password'] })
  await moveTo('portal.test')
  expect((await old.get('/api/step-up')).json()).toEqual({ fresh: false, steps: ['passkey'] })
})
