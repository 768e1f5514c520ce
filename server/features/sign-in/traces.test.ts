import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { newId } from '#server/platform/ids.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { testPassword } from '#test/people.ts'
import { askCompany, company, companyAnswer, deliver, employee } from '#test/saml/company.ts'
import { servicesOf } from '#test/service.ts'
import { finishSignIn, openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// Who signed in, how, to what and from where: the first questions after an account takeover.

let portal: TestApp
let browser: Client
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => portal?.close())
beforeEach(() => {
  portal.advance(24 * 3600)
  browser = portal.browser({ 'x-forwarded-for': '198.51.100.77', 'user-agent': firefox })
})

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0'
const wrong = 'Wrong-horse-7-battery'
const phoneNumber = '+46701740605'

/** The events of an address: name and new values by property. */
async function tracesOf(email: string) {
  const rows = await portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'changes'])
    .where('target', '=', email)
    .orderBy('id')
    .execute()
  return rows.map(({ name, changes }) => [
    name,
    Object.fromEntries(
      (changes as { property: string; newValue: string }[]).map(({ property, newValue }) => [property, newValue]),
    ),
  ])
}
const here = { address: '198.51.100.0/24', browser: 'Firefox, Windows' }
const callback = 'https://journal.example/callback'

async function register(postLogoutRedirectUris: string[] = []) {
  const clientId = newId()
  const method = { tokenEndpointAuthMethod: 'none', redirectUris: [callback], postLogoutRedirectUris }
  await portal.system.db
    .insertInto('clients')
    .values({ clientId, name: 'Journal', ...method })
    .execute()
  return clientId
}
const requestOf = (clientId: string, more: Record<string, string> = {}) =>
  `/oidc/auth?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid',
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })}`

describe('a sign-in is audited with method, target and origin', () => {
  test('with a password, to the portal, and the sign-out too', async () => {
    const { email } = await portal.person()
    const { page } = await openSignIn(browser)
    await finishSignIn(browser, page, email)
    await browser.submit('/logout', {})
    const trace = { method: 'password', client: 'portal', ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginSuccess', trace],
      ['logout', trace],
    ])
  })

  test('with a password, to a service, and the sign-out started by the service', async () => {
    const clientId = await register()
    const { email } = await portal.person()
    const { page } = await openSignIn(browser, requestOf(clientId))
    await finishSignIn(browser, page, email)
    await browser.get(`/oidc/session/end?client_id=${clientId}`)
    await browser.submit('/logout', {})
    const trace = { method: 'password', client: clientId, ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginSuccess', trace],
      ['logout', trace],
    ])
  })

  test('also where the service has an ID token, and nobody is asked', async () => {
    const services = servicesOf(portal)
    const clientId = await services.register()
    const person = await portal.person()
    const { email } = person
    const { tokens } = await services.signInTo(clientId, person, browser)
    await browser.get(`/oidc/session/end?id_token_hint=${tokens.id_token}`)
    const trace = { method: 'password', client: clientId, ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginSuccess', trace],
      ['logout', trace],
    ])
  })

  test.each([
    ['email', 'passwordAndEmailCode'],
    ['sms', 'passwordAndSmsCode'],
  ])('with a password and a code by %s', async (codeDeliveryType, method) => {
    const { email } = await portal.person({ loginMethod: 'local2FA', phoneNumber })
    const { page } = await openSignIn(browser)
    const credentials = { email, password: testPassword, codeDeliveryType }
    await browser.post('/api/start-2fa-login', credentials)
    const code = await outboxOf(portal).codeSentTo(codeDeliveryType === 'sms' ? phoneNumber : email)
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await browser.post('/api/verify-credentials-2fa', { ...credentials, code: other })
    await browser.post('/api/verify-credentials-2fa', { ...credentials, code })
    await finishSignIn(browser, page, email)
    await browser.submit('/logout', {})
    const trace = { method, client: 'portal', ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginFailure', trace],
      ['loginSuccess', trace],
      ['logout', trace],
    ])
  })

  test('with BankID', async () => {
    const bankid = bankIdOf(portal)
    const { email, ssn } = await bankid.customer()
    const { page } = await openSignIn(browser)
    expect(page).toBeTruthy()
    await bankid.signIn(email, bankid.newNumber(), { browser }).catch(() => undefined)
    await bankid.signIn(email, ssn, { browser })
    const trace = { method: 'bankid', client: 'portal', ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginFailure', trace],
      ['loginSuccess', trace],
    ])
  })

  test('with SAML, to a service', async () => {
    const theirs = await company(portal)
    const { email } = await employee(portal, theirs)
    const clientId = await register()
    const attempt = async (nameId: string) => {
      const asked = await askCompany(portal, browser, theirs, requestOf(clientId))
      const answer = await deliver(portal, theirs, companyAnswer(theirs, asked, { nameId }), asked.relayState)
      return browser.follow(await browser.get(String(answer.headers.location)))
    }
    const unknown = `nobody@${theirs.mailDomain}`
    await attempt(unknown)
    await attempt(email)
    // Any browser may post a SAML response, so only a success certainly comes from the right browser.
    expect(await tracesOf(unknown)).toMatchObject([['loginFailure', { method: 'saml', client: clientId }]])
    expect(await tracesOf(email)).toEqual([['loginSuccess', { method: 'saml', client: clientId, ...here }]])
  })

  test('from an IPv6 address as its /48, and with an unknown browser', async () => {
    const { email } = await portal.person()
    const robot = portal.browser({ 'x-forwarded-for': '2001:db8:7:8::9', 'user-agent': 'curl/8.17' })
    const { page } = await openSignIn(robot)
    await finishSignIn(robot, page, email)
    const trace = { method: 'password', client: 'portal', address: '2001:db8:7::/48' }
    expect(await tracesOf(email)).toEqual([['loginSuccess', trace]])
  })
})

describe('a failed sign-in is audited in the same way', () => {
  test('with the service, with and without JavaScript', async () => {
    const clientId = await register()
    const { email } = await portal.person()
    const { page, uid } = await openSignIn(browser, requestOf(clientId))
    await browser.post('/api/verify-credentials', { email, password: wrong, uid })
    await submitPassword(browser, page, email, wrong)
    const trace = { method: 'password', client: clientId, ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginFailure', trace],
      ['loginFailure', trace],
    ])
  })

  test('with the portal, when there is no interaction', async () => {
    const { email } = await portal.person()
    await browser.post('/api/verify-credentials', { email, password: wrong })
    await browser.post('/api/verify-credentials', { email, password: wrong, uid: 'made up' })
    const trace = { method: 'password', client: 'portal', ...here }
    expect(await tracesOf(email)).toEqual([
      ['loginFailure', trace],
      ['loginFailure', trace],
    ])
  })
})

test('a sign-out is audited when a session ends because another person signs in', async () => {
  const [first, second] = [await portal.person(), await portal.person()]
  for (const { email } of [first, second]) {
    const { page } = await openSignIn(browser, '/login?prompt=login')
    await finishSignIn(browser, page, email)
  }
  const trace = { method: 'password', client: 'portal', ...here }
  expect(await tracesOf(first.email)).toEqual([
    ['loginSuccess', trace],
    ['logout', trace],
  ])
})

test('the event has neither the whole IP address nor the user agent string, and the audit chain covers it', async () => {
  const { email } = await portal.person()
  const { page } = await openSignIn(browser)
  await submitPassword(browser, page, email, wrong)
  await finishSignIn(browser, page, email)
  const owner = new pg.Client(portal.ownerUrl)
  await owner.connect()
  try {
    const { rows } = await owner.query('select e::text as row from audit_events e')
    const all = JSON.stringify(rows)
    for (const told of ['198.51.100.77', 'Gecko', '146.0']) expect(all).not.toContain(told)
    await portal.seal()
    expect(await verifyAuditChain(owner)).toMatchObject({ intact: true, unsealed: 0 })
    await owner.query('alter table audit_events disable trigger all')
    await owner.query(`update audit_events set changes = replace(changes::text, '198.51.100.0', '203.0.113.0')::jsonb
      where id = (select id from audit_events where name = 'loginSuccess' order by id desc limit 1)`)
    expect(await verifyAuditChain(owner)).toMatchObject({ intact: false, reason: 'its content was changed' })
  } finally {
    await owner.end()
  }
})
