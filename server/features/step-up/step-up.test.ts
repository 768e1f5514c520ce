import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enterPath } from '#contract/launcher/launcher.ts'
import type { LoginMethod } from '#contract/roles.ts'
import { secretCell } from '#server/oidc/clients/client-secrets.ts'
import { newId } from '#server/platform/ids.ts'
import { seal } from '#server/platform/secrets/sealing.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let bankid: ReturnType<typeof bankIdOf>
beforeAll(async () => {
  portal = await testApp()
  bankid = bankIdOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(2 * 24 * 3600))

type Options = NonNullable<Parameters<TestApp['person']>[0]>

/** Somebody who joined an organisation with this sign-in method, and has a service there. */
async function joined(
  loginMethod: LoginMethod,
  options: Options = {},
  entry: 'joined' | 'opened' | 'guest' = 'joined',
) {
  const person = await portal.person(options)
  const { organizationId } = await portal.organization(undefined, loginMethod)
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  await portal.join(person.accountId, organizationId, 'regular', entry)
  await portal.assign(person.accountId, organizationId, serviceId)
  return { ...person, organizationId, serviceId, browser: await portal.signedIn(person) }
}

const needs = async (browser: Client) => {
  const { organizations } = (await browser.get('/api/start')).json()
  return organizations.map((one: { needs: string | null }) => one.needs)
}
const signedInWith = async (browser: Client) => (await browser.get('/api/me')).json().signedInWith
const sendCode = (browser: Client, more: object = {}) => browser.post('/api/step-up/code', more)
const enterCode = (browser: Client, code: string) => browser.post('/api/step-up/code/verify', { code })
const codeOf = (email: string) => outboxOf(portal).codeSentTo(email)
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const eventsOf = async (accountId: string) => {
  const rows = await portal.system.db
    .selectFrom('auditEvents')
    .select('name')
    .where('targetId', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

describe('what an organisation asks of a session', () => {
  test.each([
    ['local', 'joined', null],
    ['local2FA', 'joined', 'local2FA'],
    ['bankid', 'joined', 'bankid'],
    ['saml', 'joined', 'saml'],
    ['saml', 'guest', null],
    ['local2FA', 'guest', 'local2FA'],
    ['local2FA', 'opened', null],
    ['bankid', 'opened', null],
  ] as const)('of a password in an organisation with %s, entered as %s: %s', async (method, entry, asked) => {
    const { browser } = await joined(method, {}, entry)
    expect(await needs(browser)).toEqual([asked])
  })

  test('everybody meets the method where a super user requires it', async () => {
    const { browser, organizationId } = await joined('local2FA', {}, 'opened')
    expect(await needs(browser)).toEqual([null])
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    const change = { organizationId, requireLoginMethod: true }
    expect((await superUser.put('/api/organizations', change)).json()).toMatchObject({ requireLoginMethod: true })
    expect(await needs(browser)).toEqual(['local2FA'])
  })

  test('a super user administers the organisation in any session, and opens its services only in a strong one', async () => {
    const { browser, organizationId, serviceId } = await joined('local2FA', { superUser: true })
    expect((await browser.get(`/api/organizations/${organizationId}`)).statusCode).toBe(200)
    const { headers } = await browser.get(`/launch/${serviceId}`)
    expect(headers.location).toBe(enterPath(organizationId, `/launch/${serviceId}?organizationId=${organizationId}`))
  })
})

describe('who joins with an account', () => {
  const joining = async (loginMethod: LoginMethod, options: Options = {}, more: object = {}) => {
    const invites = invitationsOf(portal)
    const { organizationId, browser: admin } = await invites.organizationWithAdmin(loginMethod)
    const person = await portal.person({ email: newEmail(), ...options })
    await invite(admin, organizationId, person.email, more)
    const browser = await portal.signedIn(person)
    const [invitation] = (await browser.get('/api/invites/mine')).json()
    const token = await invites.mailedToken(person.email)
    const { floor } = (await browser.get(`/api/invites?token=${encodeURIComponent(token)}`)).json()
    expect(floor).toEqual({ asksFor: invitation.asksFor, canMeet: invitation.canMeet })
    const answer = await browser.post(`/api/invites/${invitation.invitationId}/join`)
    return { browser, floor, answer, token, invites }
  }

  test.each([
    ['local', {}, { asksFor: null, canMeet: true }],
    ['local2FA', {}, { asksFor: 'local2FA', canMeet: true }],
    ['bankid', { ssn: '199001019802' }, { asksFor: 'bankid', canMeet: true }],
    ['bankid', {}, { asksFor: 'bankid', canMeet: false }],
  ] as const)(
    'an organisation with %s is told what it asks before, and is asked after',
    async (method, options, told) => {
      const { browser, floor, answer } = await joining(method, options)
      expect(floor).toEqual(told)
      expect(answer.statusCode).toBe(204)
      expect(await needs(browser)).toEqual([told.asksFor])
    },
  )

  test('an organisation with its own sign-in takes them only as guests', async () => {
    const refused = await joining('saml')
    expect(refused.floor).toEqual({ asksFor: 'saml', canMeet: false })
    expect([refused.answer.statusCode, refused.answer.json().message]).toEqual([409, 'guestsOnly'])
    const byLink = await refused.browser.post('/api/invites/join', { token: refused.token })
    expect([byLink.statusCode, byLink.json().message]).toEqual([409, 'guestsOnly'])
    const guest = await joining('saml', {}, { guest: true })
    expect(guest.floor).toEqual({ asksFor: null, canMeet: true })
    expect(guest.answer.statusCode).toBe(204)
    expect(await needs(guest.browser)).toEqual([null])
  })

  test.each([
    ['bankid', {}, { cannotEnter: 'bankid' }],
    ['bankid', { ssn: '199003019801' }, {}],
    ['local2FA', {}, {}],
  ] as const)('an admin of an organisation with %s sees whether they can enter', async (method, options, shown) => {
    const { accountId, organizationId } = await joined(method, options)
    const admin = await portal.person()
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    const url = `/api/users/${accountId}/organization/${organizationId}/service/-`
    const { organizations } = (await (await portal.signedIn(admin)).get(url)).json()
    expect(organizations).toMatchObject([{ organizationId, organizationNumber: null, userRole: 'regular' }])
    expect(organizations[0].cannotEnter).toBe('cannotEnter' in shown ? shown.cannotEnter : undefined)
  })

  test('nobody else who has the link learns how the account signs in', async () => {
    const { token, invites } = await joining('saml')
    expect((await invites.find(token)).json()).toMatchObject({ account: 'signIn', floor: null })
  })
})

describe('a code', () => {
  test.each(['email', 'sms'] as const)('by %s raises the session, once, with an event', async (by) => {
    const phoneNumber = `+4670174${Math.floor(1000 + Math.random() * 8999)}`
    const { browser, email, accountId, serviceId } = await joined('local2FA', { phoneNumber })
    expect((await sendCode(browser, { codeDeliveryType: by })).statusCode).toBe(204)
    const code = await codeOf(by === 'sms' ? phoneNumber : email)
    const before = browser.cookies()
    expect((await enterCode(browser, code)).statusCode).toBe(204)
    expect(await needs(browser)).toEqual([null])
    expect(await signedInWith(browser)).toBe(by === 'sms' ? 'passwordAndSmsCode' : 'passwordAndEmailCode')
    expect((await browser.get(`/launch/${serviceId}`)).headers.location).toBe('https://service.example')
    expect((await eventsOf(accountId)).slice(-2)).toEqual(['loginSuccess', 'strengthenSession'])
    expect((await enterCode(browser, code)).statusCode).toBe(422)
    // The id of the weaker session opens nothing any more.
    const thief = portal.browser()
    for (const [name, value] of Object.entries(before)) thief.setCookie(name, value)
    expect((await thief.get('/api/me')).statusCode).toBe(401)
  })

  test('of another session of the same person does not', async () => {
    const { browser, email, accountId } = await joined('local2FA')
    await sendCode(browser)
    const code = await codeOf(email)
    const other = await portal.signedIn({ email, accountId })
    expect((await enterCode(other, code)).statusCode).toBe(422)
    expect(await needs(other)).toEqual(['local2FA'])
    expect(await needs(browser)).toEqual(['local2FA'])
  })

  test('that is wrong is an event, and the fifth wrong one ends the code', async () => {
    const { browser, email, accountId } = await joined('local2FA')
    await sendCode(browser)
    const code = await codeOf(email)
    for (let attempt = 0; attempt < 5; attempt++) {
      const refused = await enterCode(browser, otherThan(code))
      expect([refused.statusCode, refused.json().issues]).toEqual([422, [{ path: 'code', message: 'invalidCode' }]])
    }
    expect((await enterCode(browser, code)).statusCode).toBe(422)
    expect(await needs(browser)).toEqual(['local2FA'])
    expect((await eventsOf(accountId)).filter((name) => name === 'loginFailure')).toHaveLength(6)
  })

  test('is sent at most once in 30 seconds, and not to a phone that is not there', async () => {
    const { browser } = await joined('local2FA')
    expect((await sendCode(browser, { codeDeliveryType: 'sms' })).statusCode).toBe(422)
    expect((await sendCode(browser)).statusCode).toBe(204)
    expect((await sendCode(browser)).statusCode).toBe(429)
  })

  test('does not meet BankID', async () => {
    const { browser, email } = await joined('bankid')
    await sendCode(browser)
    expect((await enterCode(browser, await codeOf(email))).statusCode).toBe(204)
    expect(await needs(browser)).toEqual(['bankid'])
  })

  test('must not go to a phone, nor BankID by a number, that the weak session has just set', async () => {
    const { browser } = await joined('local2FA')
    const currentPassword = 'Correct-horse-7-battery'
    for (const change of [{ phoneNumber: '+46701740699' }, { ssn: bankid.newNumber() }]) {
      const refused = await browser.put('/api/profile', { ...change, currentPassword })
      expect([refused.statusCode, refused.json().message]).toEqual([403, 'strongerSignInRequired'])
    }
    expect((await browser.put('/api/profile', { firstName: 'Changed' })).statusCode).toBe(200)
  })
})

describe('BankID', () => {
  const startAt = (email: string) => `/login?${new URLSearchParams({ prompt: 'login', method: 'bankid', email })}`

  /** Raises the session of this browser with the BankID of a number. */
  async function identify(browser: Client, email: string, ssn: string) {
    const begun = await bankid.begin(email, { browser, startAt: '/login?prompt=login' })
    await bankid.identify(begun, ssn)
    const location = String((await begun.complete()).headers.location)
    await browser.follow(await browser.get(location))
    return location
  }

  test('of the same person raises the session, whatever the account signs in with', async () => {
    const ssn = bankid.newNumber()
    const { browser, email, accountId } = await joined('bankid', { ssn })
    const { url } = await browser.follow(await browser.get(startAt(email)))
    expect(url).toMatch(/^\/interaction\/[\w-]+\/login\?email=.*&method=bankid$/)
    const before = browser.cookies()
    await identify(browser, email, ssn)
    expect(await needs(browser)).toEqual([null])
    expect(await signedInWith(browser)).toBe('bankid')
    expect((await eventsOf(accountId)).slice(-2)).toEqual(['loginSuccess', 'loginSuccess'])
    const thief = portal.browser()
    for (const [name, value] of Object.entries(before)) thief.setCookie(name, value)
    expect((await thief.get('/api/me')).statusCode).toBe(401)
  })

  test('of another person does not', async () => {
    const { browser, email, accountId } = await joined('bankid', { ssn: bankid.newNumber() })
    const location = await identify(browser, email, bankid.newNumber())
    expect(location).toMatch(/error=bankIdRefused&method=bankid$/)
    expect(await needs(browser)).toEqual(['bankid'])
    expect((await eventsOf(accountId)).at(-1)).toBe('loginFailure')
  })

  test('is no way in for an account with a password, without a session of it', async () => {
    const ssn = bankid.newNumber()
    const { email } = await joined('bankid', { ssn })
    const { browser, location } = await bankid.signIn(email, ssn)
    expect(location).toContain('error=bankIdRefused')
    expect(await bankid.isSignedIn(browser)).toBe(false)
    const stranger = await portal.signedIn(await portal.person())
    expect((await bankid.signIn(email, ssn, { browser: stranger, startAt: '/login?prompt=login' })).location).toContain(
      'error=bankIdRefused',
    )
  })

  test('signing in again with the password does not take away what the session has proven', async () => {
    const ssn = bankid.newNumber()
    const { browser, email } = await joined('bankid', { ssn })
    await identify(browser, email, ssn)
    const { page } = await openSignIn(browser, '/login?prompt=login')
    await browser.follow(await submitPassword(browser, page, email))
    expect(await needs(browser)).toEqual([null])
  })
})

describe('a service of an organisation that asks for more', () => {
  const secret = randomBytes(32).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const callback = 'https://journal.example/callback'

  async function clientOf(serviceId: string) {
    const clientId = newId()
    await portal.system.db
      .insertInto('clients')
      .values({
        clientId,
        serviceId,
        name: 'Journal',
        redirectUris: [callback],
        postLogoutRedirectUris: [],
        secretSealed: seal(portal.system.keys, 'fields', secretCell(clientId), secret),
      })
      .execute()
    return clientId
  }
  const requestFor = (clientId: string, more: Record<string, string> = {}) =>
    `/oidc/auth?${new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid organizations',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })}`
  async function tokens(clientId: string, fields: Record<string, string>) {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    return portal.browser().submit('/oidc/token', fields, { accept: 'application/json', authorization })
  }
  const codeFrom = (url: string) => new URL(url).searchParams.get('code') ?? ''
  const exchange = (clientId: string, code: string) =>
    tokens(clientId, { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier })
  const userInfo = (token: string) =>
    portal.browser().get('/oidc/me', { authorization: `Bearer ${token}`, accept: 'application/json' })

  test('gets no code before the session is raised', async () => {
    const { browser, email, serviceId, organizationId } = await joined('local2FA')
    const clientId = await clientOf(serviceId)
    const { headers } = await browser.get(requestFor(clientId))
    const asked = new URL(String(headers.location), 'http://portal.test')
    expect(asked.pathname).toBe(`/enter/${organizationId}`)
    const silent = await browser.get(requestFor(clientId, { prompt: 'none' }))
    expect(new URL(String(silent.headers.location)).searchParams.get('error')).toBe('interaction_required')
    await sendCode(browser)
    await enterCode(browser, await codeOf(email))
    const { url } = await browser.follow(await browser.get(asked.searchParams.get('returnTo') ?? ''))
    expect((await exchange(clientId, codeFrom(url))).statusCode).toBe(200)
  })

  test('learns only of organisations that the session reaches, and nothing once the floor rises', async () => {
    const { browser, email, accountId, serviceId, organizationId } = await joined('local2FA')
    const near = await portal.organization('Near')
    await portal.offer(near.organizationId, serviceId)
    await portal.join(accountId, near.organizationId)
    await portal.assign(accountId, near.organizationId, serviceId)
    const clientId = await clientOf(serviceId)
    const organizations = async () => {
      const { url } = await browser.follow(await browser.get(requestFor(clientId)))
      const { access_token, refresh_token } = (await exchange(clientId, codeFrom(url))).json()
      const claims = (await userInfo(access_token)).json()
      return { access_token, refresh_token, ids: claims.organizations.map((one: { id: string }) => one.id) }
    }
    expect((await organizations()).ids).toEqual([near.organizationId])
    await sendCode(browser)
    await enterCode(browser, await codeOf(email))
    const strong = await organizations()
    expect(strong.ids.sort()).toEqual([near.organizationId, organizationId].sort())
    // Both now ask for BankID: the tokens of the session die with its reach.
    await portal.system.db
      .updateTable('organizations')
      .set({ loginMethod: 'bankid', requireLoginMethod: true })
      .where('organizationId', 'in', [near.organizationId, organizationId])
      .execute()
    expect((await userInfo(strong.access_token)).statusCode).toBe(401)
    const renewed = await tokens(clientId, { grant_type: 'refresh_token', refresh_token: strong.refresh_token })
    expect([renewed.statusCode, renewed.json().error]).toEqual([400, 'invalid_grant'])
  })
})
