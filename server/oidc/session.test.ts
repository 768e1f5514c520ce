import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceKeyRotation, rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import type { Client } from '#test/client.ts'
import { forged } from '#test/forged.ts'
import { testPassword } from '#test/people.ts'
import { finishSignIn, openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp, testMasterKey } from '#test/test-app.ts'
import { endAllSessions } from './end-sessions.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const minute = 60
const secondsToLive = async (browser: Client) => (await browser.get('/api/session-expire')).json().secondsToLive
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const refresh = async (browser: Client) => (await browser.get('/oidc/auth')).statusCode

test('a session ends an hour after its last use, and polling its lifetime does not extend it', async () => {
  const browser = await portal.signedIn(await portal.person())
  portal.advance(10 * minute)
  expect(await secondsToLive(browser)).toBe(50 * minute)
  portal.advance(10 * minute)
  await browser.get('/api/me')
  expect(await secondsToLive(browser)).toBe(40 * minute)
  portal.advance(40 * minute - 1)
  expect(await isSignedIn(browser)).toBe(true)
  portal.advance(2)
  expect(await isSignedIn(browser)).toBe(false)
  expect(await secondsToLive(browser)).toBe(0)
})

test('last active is updated with use, at most once a minute, never backwards, and never waits for a lock', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const lastActive = async () =>
    (
      await portal.system.db
        .selectFrom('users')
        .select('lastActive')
        .where('accountId', '=', person.accountId)
        .executeTakeFirstOrThrow()
    ).lastActive
  const signedInAt = portal.now()
  portal.advance(59)
  await browser.get('/api/me')
  expect(await lastActive()).toEqual(signedInAt)
  portal.advance(1)
  const used = portal.now()
  await browser.get('/api/me')
  expect(await lastActive()).toEqual(used)
  portal.advance(-30)
  await browser.get('/api/me')
  portal.advance(30 + 90)
  await portal.system.db.transaction().execute(async (db) => {
    await db.selectFrom('users').selectAll().where('accountId', '=', person.accountId).forUpdate().execute()
    expect(await isSignedIn(browser)).toBe(true)
  })
  expect(await lastActive()).toEqual(used)
})

test('a refresh extends a session, up to twelve hours after sign-in', async () => {
  const browser = await portal.signedIn(await portal.person())
  for (let half = 1; half <= 21; half++) {
    portal.advance(30 * minute)
    expect(await refresh(browser)).toBe(204)
    expect(await secondsToLive(browser)).toBe(60 * minute)
  }
  portal.advance(60 * minute - 1)
  expect(await refresh(browser)).toBe(204)
  // The moment of a sign-in is kept in whole seconds.
  expect(30 * minute - (await secondsToLive(browser))).toBeLessThanOrEqual(1)
  portal.advance(30 * minute + 1)
  expect(await refresh(browser)).toBe(401)
})

test('an authorization request extends a session too, but not beyond twelve hours', async () => {
  const browser = await portal.signedIn(await portal.person())
  const passThrough = async () => (await browser.follow(await browser.get('/login?returnTo=/account'))).url
  for (let part = 1; part <= 13; part++) {
    portal.advance(55 * minute)
    expect(await passThrough()).toBe('/account')
    if (part < 12) expect(await secondsToLive(browser)).toBe(60 * minute)
  }
  expect(5 * minute - (await secondsToLive(browser))).toBeLessThanOrEqual(1)
})

test('without a session nothing is refreshed, and the time to live is 0', async () => {
  const browser = portal.browser()
  const response = await browser.get('/oidc/auth')
  expect(response.statusCode).toBe(401)
  expect(response.json()).toEqual({ message: 'signInRequired', requestId: expect.any(String) })
  expect(await secondsToLive(browser)).toBe(0)
})

test('a forged, cut, unsigned or foreign cookie is no session', async () => {
  const browser = await portal.signedIn(await portal.person())
  const { portal_session: session = '', 'portal_session.sig': signature = '' } = browser.cookies()
  const statusWith = async (value: string, sig?: string) => {
    const thief = portal.browser()
    thief.setCookie('portal_session', value)
    if (sig !== undefined) thief.setCookie('portal_session.sig', sig)
    return (await thief.get('/api/me')).statusCode
  }
  expect(await statusWith(session, signature)).toBe(200)
  expect(await statusWith(session)).toBe(401)
  expect(await statusWith(session, signature.slice(0, -1))).toBe(401)
  expect(await statusWith(forged(session), signature)).toBe(401)
  expect(
    await statusWith(session, createHmac('sha256', 'guess').update(`portal_session=${session}`).digest('base64url')),
  ).toBe(401)
  expect(await statusWith('', '')).toBe(401)
})

test('the database holds no id that opens a session or an interaction', async () => {
  const browser = await portal.signedIn(await portal.person())
  const { uid } = await openSignIn(
    browser,
    '/oidc/auth?client_id=portal&response_type=none&scope=openid&prompt=login&redirect_uri=http%3A%2F%2Fportal.test%2Fsigned-in',
  )
  const { db } = portal.system
  const stored = JSON.stringify([
    await db.selectFrom('sessions').selectAll().execute(),
    await db.selectFrom('providerArtifacts').selectAll().execute(),
  ])
  expect(stored).not.toContain(browser.cookies().portal_session)
  expect(stored).not.toContain(uid)
})

test('the eleventh session of a person ends the oldest', async () => {
  const person = await portal.person()
  const browsers: Client[] = []
  for (let count = 1; count <= 11; count++) {
    portal.advance(1)
    browsers.push(await portal.signedIn(person))
  }
  expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, ...Array(10).fill(true)])
})

test('raising the epoch of an account ends its sessions immediately, except the one that requested it', async () => {
  const person = await portal.person()
  const [own, other] = [await portal.signedIn(person), await portal.signedIn(person)]
  const bystander = await portal.signedIn(await portal.person())
  const key = createHash('sha256')
    .update(own.cookies().portal_session ?? '')
    .digest('hex')
  await portal.system.db.transaction().execute((trx) => endAllSessions(trx, person.accountId, { exceptSession: key }))
  expect([await isSignedIn(own), await isSignedIn(other), await isSignedIn(bystander)]).toEqual([true, false, true])
  await portal.system.db
    .updateTable('users')
    .set((row) => ({ authEpoch: row('authEpoch', '+', 1) }))
    .where('accountId', '=', person.accountId)
    .execute()
  expect(await isSignedIn(own)).toBe(false)
  expect(await refresh(own)).toBe(401)
  expect((await own.follow(await own.get('/login'))).url).toMatch(/^\/interaction\//)
})

test('ending all sessions ends an unfinished sign-in', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const { page } = await openSignIn(browser, '/login?prompt=login')
  // Over a session that is there already, the sign-in goes on at the provider.
  const submitted = await browser.submit(`${page}/login`, { email: person.email, password: testPassword })
  await endAllSessions(portal.system.db, person.accountId)
  const { url } = await browser.follow(submitted)
  expect(url).toMatch(/^\/interaction\//)
  expect(await isSignedIn(browser)).toBe(false)
})

test('a user who becomes passive or pending, or is deleted, is signed out immediately', async () => {
  const { db } = portal.system
  for (const change of [{ passiveAt: portal.now() }, { pending: true }]) {
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    await db.updateTable('users').set(change).where('accountId', '=', person.accountId).execute()
    expect(await isSignedIn(browser)).toBe(false)
  }
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await db.deleteFrom('users').where('accountId', '=', person.accountId).execute()
  expect(await isSignedIn(browser)).toBe(false)
})

test('a rotation of the cookie keys ends no session', async () => {
  const browser = await portal.signedIn(await portal.person())
  const { db, keys } = portal.system
  const { id } = keys.current('cookies')
  await rotateKeys({ db, masterKey: testMasterKey, purpose: 'cookies', now: portal.now() })
  portal.advance(6 * minute)
  await advanceKeyRotation({ db, keys, now: portal.now() })
  expect(keys.current('cookies').id).not.toBe(id)
  expect(await isSignedIn(browser)).toBe(true)
  expect((await browser.follow(await browser.get('/login?returnTo=/account'))).url).toBe('/account')
  expect(await isSignedIn(browser)).toBe(true)
})

test('cookies are Secure and bound to the host where the portal is reached by https', async () => {
  const secure = await testApp({ BASE_URL: 'https://portal.test' })
  try {
    const person = await secure.person()
    const browser = secure.browser()
    const { page } = await openSignIn(browser)
    await finishSignIn(browser, page, person.email)
    expect(Object.keys(browser.cookies()).filter((name) => !/^__(Host|Secure)-/.test(name))).toEqual([])
    expect(browser.cookies()['__Host-session']).toBeTruthy()
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    expect(
      (await browser.get('/oidc/.well-known/openid-configuration', { 'x-forwarded-host': 'evil.example' })).json(),
    ).toMatchObject({
      issuer: 'https://portal.test/oidc',
      authorization_endpoint: 'https://portal.test/oidc/auth',
    })
  } finally {
    await secure.close()
  }
})

test('a sign-in works with any forwarded headers', async () => {
  const proxied = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const person = await proxied.person()
    for (const address of ['nonsense', 'fe80::1%eth0', '::ffff:198.51.100.7']) {
      const browser = proxied.browser()
      const headers = { 'x-forwarded-for': address, 'user-agent': 'Nordic\u00e5' }
      const { page } = await openSignIn(browser)
      const form = { email: person.email, password: testPassword }
      expect((await browser.submit(`${page}/login`, form, headers)).headers.location).toBe('/')
      expect((await browser.get('/api/me', headers)).statusCode).toBe(200)
    }
  } finally {
    await proxied.close()
  }
})

test('an unknown path below /oidc returns 404 in the usual problem format', async () => {
  const browser = portal.browser()
  const answer = await browser.get('/oidc/nowhere', { accept: 'application/json' })
  expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'notFound', requestId: expect.any(String) }])
  const page = await browser.get('/oidc/nowhere', { accept: 'text/html' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect((await browser.get('/oidc/')).statusCode).toBe(404)
})

test('the provider also rejects a body that is too large or has another content type', async () => {
  const browser = portal.browser()
  const huge = await browser.submit('/oidc/token', { code: 'x'.repeat(1_000_000) }, { accept: 'application/json' })
  expect(huge.statusCode).toBe(413)
  const other = await browser.post('/oidc/token', { grant_type: 'authorization_code' }, { accept: 'application/json' })
  expect([other.statusCode, other.json().error]).toEqual([400, 'invalid_request'])
})
