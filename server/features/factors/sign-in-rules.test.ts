import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignInRulesForm } from '#contract/factors/rules.ts'
import { hashId } from '#server/oidc/hash-id.ts'
import { type Client, outcome } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

const none: SignInRulesForm = {
  secondFactors: null,
  strongAdminsFrom: null,
  sessionIdleMinutes: null,
  sessionMaxHours: null,
  maxPasswordAgeDays: null,
}
const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A super user sets rules of an organisation. */
async function ruled(organizationId: string, rules: Partial<SignInRulesForm>) {
  const operator = await portal.signedIn(await portal.person({ superUser: true }))
  return operator.put(`/api/organizations/${organizationId}/sign-in-rules`, { ...none, ...rules })
}
/** What an organisation asks of a session, beyond what it has proven. */
async function needsOf(browser: Client, accountId: string) {
  const [organization] = (await browser.get(`/api/users/${accountId}/organizations`)).json()
  return [organization.needs, organization.factors]
}
async function enterMailedCode(browser: Client, email: string) {
  await browser.post('/api/step-up/code', {})
  return browser.post('/api/step-up/code/verify', { code: await outboxOf(portal).codeSentTo(email) })
}
/** The methods of a session, as if these had been proven. */
async function prove(browser: Client, amr: string[]) {
  const idHash = hashId(browser.cookies().portal_session ?? '')
  await portal.system.pool.query(`update sessions set payload = jsonb_set(payload, '{amr}', $2) where id_hash = $1`, [
    idHash,
    JSON.stringify(amr),
  ])
}
async function member(loginMethod: 'local' | 'local2FA', role: 'regular' | 'organizationAdmin' = 'regular') {
  const person = await portal.person()
  const { organizationId } = await portal.organization(undefined, loginMethod)
  await portal.join(person.accountId, organizationId, role)
  return { ...person, organizationId, browser: await portal.signedIn(person) }
}

describe('an organisation', () => {
  test('sees for how many of its people mail proves both steps, and demands more of them by a rule', async () => {
    const { accountId, organizationId, browser } = await member('local2FA', 'organizationAdmin')
    const url = `/api/organizations/${organizationId}/sign-in-rules`
    const count = async () => (await browser.get(url)).json().peopleByMailAlone
    expect(await count()).toBe(1)
    const { email, accountId: other } = await portal.person({ loginMethod: 'local2FA' })
    await portal.join(other, organizationId)
    await portal.join((await portal.person({ phoneNumber: '+46701740605' })).accountId, organizationId)
    const samlConfigId = await portal.samlConfig()
    await portal.join((await portal.person({ loginMethod: 'saml', samlConfigId })).accountId, organizationId)
    expect(await count()).toBe(2)
    await ruled(organizationId, { secondFactors: ['passkey', 'app', 'sms'] })
    const own = await factorsOf(portal).signedInByMail({ accountId: other, email })
    expect(await needsOf(own, other)).toEqual(['local2FA', ['passkey', 'app', 'sms']])
    await factorsOf(portal).addApp(own)
    expect(await needsOf(own, other)).toEqual([null, undefined])
    expect(accountId).not.toBe(other)
  })

  test('sets its rules, within those of the portal, with an event; its people read them', async () => {
    const { accountId, organizationId, email, browser } = await member('local', 'organizationAdmin')
    const url = `/api/organizations/${organizationId}/sign-in-rules`
    const rules = { ...none, sessionIdleMinutes: 15, maxPasswordAgeDays: 90 }
    expect(outcome(await browser.put(url, rules))).toBe(200)
    expect((await browser.get(url)).json()).toMatchObject({
      ...rules,
      organizationId,
      adminsWithoutKey: [{ accountId, email }],
      portal: { sessionIdleMinutes: 60, sessionMaxHours: 12 },
    })
    expect((await browser.get('/api/profile/factors')).json().rules).toEqual([
      { ...rules, organizationId, name: expect.any(String), isAdmin: true },
    ])
    const tooLong = await browser.put(url, { ...none, sessionIdleMinutes: 61, sessionMaxHours: 13 })
    expect([tooLong.statusCode, tooLong.json().issues]).toEqual([
      422,
      [
        { path: 'sessionIdleMinutes', message: 'abovePortal' },
        { path: 'sessionMaxHours', message: 'abovePortal' },
      ],
    ])
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'actor', 'changes'])
      .where('targetId', '=', organizationId)
      .execute()
    expect(events).toEqual([
      {
        name: 'updateSignInRules',
        actor: email,
        changes: [
          { property: 'sessionIdleMinutes', previousValue: null, newValue: '15' },
          { property: 'credentialAgeDays', previousValue: null, newValue: '90' },
        ],
      },
    ])
    // The same once more changes nothing.
    expect(outcome(await browser.put(url, rules))).toBe(200)
  })

  test('is told which of its admins lack a key', async () => {
    const { organizationId, email, browser } = await member('local', 'organizationAdmin')
    const keyed = await portal.person({ firstName: 'Zara' })
    await portal.join(keyed.accountId, organizationId, 'organizationAdmin')
    const withoutKey = async () =>
      (await browser.get(`/api/organizations/${organizationId}/sign-in-rules`))
        .json()
        .adminsWithoutKey.map((one: { email: string }) => one.email)
    expect(await withoutKey()).toEqual([email, keyed.email])
    await portal.system.pool.query('insert into passkey_holders (account_id, user_handle) values ($1, $2)', [
      keyed.accountId,
      randomBytes(32),
    ])
    await portal.system.pool.query(
      `insert into passkeys (id, account_id, credential_id, public_key, rp_id, counter, transports, aaguid, discoverable, verified,
        on_the_way, backup_eligible, backed_up, name, created_at, created_browser, created_amr)
      values (gen_random_uuid(), $1, $2, $2, 'portal.test', 0, '{}', gen_random_uuid(), true, true, false, false, false, 'Phone',
        now(), '', '{}')`,
      [keyed.accountId, randomBytes(32)],
    )
    expect(await withoutKey()).toEqual([email])
    await portal.system.pool.query(
      `update passkeys set ended_at = now(), ended_because = 'removed' where account_id = $1`,
      [keyed.accountId],
    )
    expect(await withoutKey()).toEqual([email, keyed.email])
  })

  test('of another customer is out of reach', async () => {
    const { browser } = await member('local', 'organizationAdmin')
    const { organizationId } = await portal.organization()
    const url = `/api/organizations/${organizationId}/sign-in-rules`
    expect(outcome(await browser.get(url))).toEqual([404, 'notFound'])
    expect(outcome(await browser.put(url, none))).toEqual([404, 'notFound'])
  })
})

describe('second factors that count', () => {
  test('a mailed code does not open an organisation that takes only an app, and the app does', async () => {
    const { accountId, organizationId, email, browser } = await member('local2FA')
    await ruled(organizationId, { secondFactors: ['app', 'passkey'] })
    expect(await needsOf(browser, accountId)).toEqual(['local2FA', ['passkey', 'app']])
    expect(outcome(await enterMailedCode(browser, email))).toBe(204)
    expect(await needsOf(browser, accountId)).toEqual(['local2FA', ['passkey', 'app']])
    await prove(browser, ['pwd', 'otp', 'app', 'mfa'])
    expect(await needsOf(browser, accountId)).toEqual([null, undefined])
  })

  test.each([
    [['pwd', 'otp', 'email', 'mfa'], ['email'], true],
    [['pwd', 'otp', 'email', 'mfa'], ['sms'], false],
    [['pwd', 'otp', 'sms', 'mfa'], ['sms'], true],
    [['pwd', 'otp', 'sms', 'mfa'], ['email', 'app', 'passkey'], false],
    [['pwd', 'otp', 'app', 'recovery', 'mfa'], ['app'], true],
    [['pwd', 'otp', 'app', 'mfa'], ['passkey'], false],
    [['pop', 'user', 'mfa'], ['passkey'], true],
    [['pwd', 'pop', 'user', 'mfa'], ['app'], false],
    [['swk', 'mfa'], ['passkey'], true],
  ] as const)('a session with %j where %j count: %s', async (amr, secondFactors, enters) => {
    const { accountId, organizationId, browser } = await member('local2FA')
    await ruled(organizationId, { secondFactors: [...secondFactors] })
    await prove(browser, [...amr])
    expect((await needsOf(browser, accountId))[0]).toBe(enters ? null : 'local2FA')
  })

  test('a passkey replaces neither BankID nor the sign-in of an organisation', async () => {
    const person = await portal.person()
    for (const loginMethod of ['bankid', 'saml'] as const)
      await portal.join(
        person.accountId,
        (await portal.organization(undefined, loginMethod)).organizationId,
        'regular',
        'joined',
      )
    const browser = await portal.signedIn(person)
    await prove(browser, ['pop', 'user', 'mfa'])
    const organizations = (await browser.get(`/api/users/${person.accountId}/organizations`)).json()
    expect(organizations.map(({ needs }: { needs: string }) => needs).sort()).toEqual(['bankid', 'saml'])
  })
})

describe('an organisation that demands a passkey of its admins', () => {
  test('keeps them out from that day, and its other people not', async () => {
    for (const loginMethod of ['local', 'local2FA'] as const) {
      const admin = await member(loginMethod, 'organizationAdmin')
      const colleague = await portal.person()
      await portal.join(colleague.accountId, admin.organizationId)
      await ruled(admin.organizationId, { strongAdminsFrom: dayFromToday(2) })
      await prove(admin.browser, ['pwd', 'otp', 'email', 'mfa'])
      expect(await needsOf(admin.browser, admin.accountId)).toEqual([null, undefined])
      await ruled(admin.organizationId, { strongAdminsFrom: dayFromToday(-1) })
      expect(await needsOf(admin.browser, admin.accountId)).toEqual(['local2FA', ['passkey']])
      expect(outcome(await admin.browser.get(`/api/organizations/${admin.organizationId}/users`))).toEqual([
        403,
        'strongerSignInRequired',
      ])
      const other = await portal.signedIn(colleague)
      await prove(other, ['pwd', 'otp', 'email', 'mfa'])
      expect(await needsOf(other, colleague.accountId)).toEqual([null, undefined])
      await prove(admin.browser, ['pwd', 'pop', 'user', 'mfa'])
      expect(await needsOf(admin.browser, admin.accountId)).toEqual([null, undefined])
    }
  })

  test('is not set by an admin who would keep themselves out', async () => {
    const { organizationId, browser } = await member('local', 'organizationAdmin')
    const url = `/api/organizations/${organizationId}/sign-in-rules`
    const rules = { ...none, strongAdminsFrom: dayFromToday(-1) }
    expect(outcome(await browser.put(url, rules))).toEqual([409, 'rulesShutYouOut'])
    await prove(browser, ['pwd', 'pop', 'user', 'mfa'])
    expect(outcome(await browser.put(url, rules))).toBe(200)
  })

  test('nor are factors that the admin has not signed in with', async () => {
    const { organizationId, browser, email } = await member('local2FA', 'organizationAdmin')
    expect(outcome(await enterMailedCode(browser, email))).toBe(204)
    const url = `/api/organizations/${organizationId}/sign-in-rules`
    expect(outcome(await browser.put(url, { ...none, secondFactors: ['sms'] }))).toEqual([409, 'rulesShutYouOut'])
    expect((await browser.get(url)).json()).toMatchObject({ secondFactors: null })
    expect(outcome(await browser.put(url, { ...none, secondFactors: ['sms', 'email'] }))).toBe(200)
  })
})

describe('sessions', () => {
  const secondsToLive = async (browser: Client) => (await browser.get('/api/session-expire')).json().secondsToLive

  test('end as the strictest organisation of a person says, those that are open, too', async () => {
    const { accountId, organizationId, browser } = await member('local')
    const { organizationId: stricter } = await portal.organization()
    await portal.join(accountId, stricter)
    expect(await secondsToLive(browser)).toBe(60 * 60)
    await ruled(organizationId, { sessionIdleMinutes: 30, sessionMaxHours: 2 })
    await ruled(stricter, { sessionIdleMinutes: 10 })
    expect(await secondsToLive(browser)).toBe(10 * 60)
    portal.advance(9 * 60)
    expect((await browser.get('/oidc/auth')).statusCode).toBe(204)
    expect(await secondsToLive(browser)).toBe(10 * 60)
    for (let minutes = 9; minutes < 117; minutes += 9) {
      portal.advance(9 * 60)
      expect((await browser.get('/oidc/auth')).statusCode).toBe(204)
    }
    expect(await secondsToLive(browser)).toBe(120 * 60 - 117 * 60)
    portal.advance(3 * 60)
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('of a new sign-in, too', async () => {
    const { organizationId, ...person } = await member('local')
    await ruled(organizationId, { sessionIdleMinutes: 5 })
    expect(await secondsToLive(await portal.signedIn(person))).toBe(5 * 60)
  })
})

test('a password that is older than an organisation allows must be changed before anything else', async () => {
  const { accountId, organizationId, browser } = await member('local')
  const setDaysAgo = (days: number) =>
    portal.system.pool.query(
      `update users set password_changed_at = now() - make_interval(days => $2::integer) where account_id = $1`,
      [accountId, days],
    )
  await setDaysAgo(89)
  await ruled(organizationId, { maxPasswordAgeDays: 90 })
  expect((await browser.get('/api/me')).json()).toMatchObject({ passwordMustChange: false })
  await setDaysAgo(91)
  expect((await browser.get('/api/me')).json()).toMatchObject({ passwordMustChange: true })
  expect(outcome(await browser.get('/api/profile/sessions'))).toEqual([403, 'passwordMustChange'])
})
