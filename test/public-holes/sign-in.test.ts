import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { declaredRoutes, send } from '#test/declared-routes.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { unlimited } from '#test/unlimited.ts'
import { buildWorld } from '#test/world.ts'

// docs/public-holes.md: sign-ins that believed what the browser sent along.

let portal: TestApp
beforeAll(async () => {
  portal = await testApp(unlimited)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(3600))

const isSignedIn = async (browser: ReturnType<TestApp['browser']>) => (await browser.get('/api/me')).statusCode === 200

test('a code goes to the own mailbox, whatever the request names, and stands in no answer', async () => {
  const { email } = await portal.person({ loginMethod: 'local2FA' })
  const about = { email, password: testPassword }
  const browser = portal.browser()
  const fields = ['recipient', 'to', 'phone', 'phoneNumber', 'mail', 'deliverTo', 'channel', 'returnCode', 'debug']
  for (const field of fields) {
    const refused = await browser.post('/api/start-2fa-login', { ...about, [field]: 'mallory@evil.example' })
    expect([refused.statusCode, refused.json().issues?.[0]?.path], field).toEqual([422, field])
  }
  expect(await outboxOf(portal).messagesTo('mallory@evil.example')).toEqual([])
  const answers = [await browser.post('/api/start-2fa-login', about), await browser.get('/api/2fa-delivery')]
  const code = await outboxOf(portal).codeSentTo(email)
  expect(code).toMatch(/^\d{6}$/)
  for (const { body, headers } of answers) expect(body + JSON.stringify(headers)).not.toContain(code)
})

test('an identity that the browser claims changes nothing about who signs in, in every form of a sign-in', async () => {
  const [person, victim] = [await portal.person(), await portal.person({ ssn: '198112289874' })]
  const claims = { accountId: victim.accountId, sub: victim.accountId, samlConfigId: '1', emailProof: 'mailedLink' }
  for (const [field, value] of Object.entries(claims)) {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const form = { email: person.email, login: person.email, password: testPassword, [field]: value }
    await browser.follow(await browser.submit(`${page}/login`, form))
    expect(await isSignedIn(browser), field).toBe(false)
    const query = new URLSearchParams({ email: person.email, [field]: value })
    for (const path of ['saml', 'saml/complete', 'bankid', 'bankid/back']) {
      const { statusCode } = await browser.get(`${page}/${path}?${query}`, { accept: 'text/html' })
      expect(statusCode, path).toBeLessThan(500)
      expect(await isSignedIn(browser), path).toBe(false)
    }
  }
})

test('what proves something cannot be sent along with the own details', async () => {
  const { email, accountId } = await portal.person({ emailProof: null, phoneNumber: '+46701740605' })
  const browser = await portal.signedIn({ email, accountId })
  const row = () => portal.system.db.selectFrom('users').selectAll().where('accountId', '=', accountId).execute()
  const before = JSON.stringify(await row())
  const proofs = [
    'emailProof',
    'emailProvenAt',
    'emailVerified',
    'phoneProvenAt',
    'ssnProof',
    'ssnConfirmed',
    'pending',
  ]
  for (const field of [...proofs, 'superUser', 'samlConfigId', 'accountId', 'passwordHash', 'organizations'])
    expect((await browser.put('/api/profile', { firstName: 'Eva', [field]: true })).statusCode, field).toBe(422)
  expect(JSON.stringify(await row())).toBe(before)
})

test('a form that is empty or odd passes no step of a sign-in', async () => {
  const person = await portal.person({ loginMethod: 'local2FA' })
  const session = await portal.signedIn(await portal.person())
  const browser = portal.browser()
  const { page, uid } = await openSignIn(browser)
  const bodies = [
    '',
    '{}',
    '[]',
    'null',
    '""',
    '0',
    'true',
    '{"code":null}',
    '{"code":[]}',
    `{"email":"${person.email}"}`,
  ]
  const calls = ['/api/verify-credentials', '/api/verify-credentials-2fa', '/api/start-2fa-login']
  for (const payload of bodies) {
    for (const url of [...calls, `${page}/login`, `${page}/bankid/complete`, '/api/step-up/code/verify']) {
      const by = url.includes('step-up') ? session : browser
      const cookie = Object.entries(by.cookies(url))
        .map((pair) => pair.join('='))
        .join('; ')
      const headers = {
        host: 'portal.test',
        'sec-fetch-site': 'same-origin',
        cookie,
        'content-type': 'application/json',
      }
      const { statusCode } = await portal.app.inject({ method: 'POST', url, headers, payload })
      expect(statusCode, `${url} ${payload}`).toBeGreaterThanOrEqual(400)
      expect(statusCode, `${url} ${payload}`).toBeLessThan(500)
    }
  }
  for (const form of [{}, { email: person.email }, { email: person.email, password: testPassword }, { code: '000000' }])
    await browser.follow(await browser.submit(`/interaction/${uid}/login`, form as Record<string, string>))
  expect(await isSignedIn(browser)).toBe(false)
})

test('a sign-in that was only begun, also with a right password and a code under way, opens no call that needs a session', async () => {
  const world = await buildWorld(portal)
  const { email } = await portal.person({ loginMethod: 'local2FA' })
  const browser = portal.browser()
  await openSignIn(browser)
  expect((await browser.post('/api/start-2fa-login', { email, password: testPassword })).statusCode).toBe(204)
  const closed = declaredRoutes(portal).filter(({ known }) => typeof known?.expect !== 'number')
  expect(closed.length).toBeGreaterThan(100)
  for (const route of closed)
    expect((await send(browser, route, world.target('user', 'own'))).statusCode, route.name).toBe(401)
})
