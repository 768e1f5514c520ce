import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import { seal } from '#server/platform/secrets/sealing.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { finishSignIn, openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { secretCell } from './clients/client-secrets.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const secret = randomBytes(32).toString('base64url')
const callback = 'https://journal.example/callback'

async function register(more: { serviceId?: string; backchannelLogoutUri?: string; method?: string } = {}) {
  const clientId = newId()
  const { method = 'client_secret_basic', ...rest } = more
  await portal.system.db
    .insertInto('clients')
    .values({
      clientId,
      name: 'Journal',
      redirectUris: [callback],
      postLogoutRedirectUris: ['https://journal.example/bye'],
      tokenEndpointAuthMethod: method,
      secretSealed: method === 'none' ? null : seal(portal.system.keys, 'fields', secretCell(clientId), secret),
      ...rest,
    })
    .execute()
  return clientId
}

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const requestFor = (clientId: string, more: Record<string, string> = {}) =>
  `/oidc/auth?${new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile email',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`

const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams)
const basic = (clientId: string) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

async function tokenRequest(clientId: string, fields: Record<string, string>) {
  const response = await portal
    .browser()
    .submit('/oidc/token', fields, { accept: 'application/json', ...basic(clientId) })
  return { status: response.statusCode, body: response.json() }
}
const exchange = (clientId: string, code = '') =>
  tokenRequest(clientId, { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier })
const renew = (clientId: string, refreshToken: string) =>
  tokenRequest(clientId, { grant_type: 'refresh_token', refresh_token: refreshToken })

/** Signs in to a service and gives what it gets. */
async function signInTo(clientId: string, person: Person, browser: Client = portal.browser()) {
  const { page } = await openSignIn(browser, requestFor(clientId))
  const { code } = parametersOf(await finishSignIn(browser, page, person.email))
  const { body } = await exchange(clientId, code)
  return { browser, tokens: body }
}
const userInfo = (token: string) =>
  portal.browser().get('/oidc/me', { authorization: `Bearer ${token}`, accept: 'application/json' })

test('a user signs in to a service with BankID, also if that activates the account', async () => {
  const clientId = await register()
  const [ssn, email] = ['199908072391', newEmail()]
  const invites = invitationsOf(portal)
  const { browser: admin, organizationId } = await invites.organizationWithAdmin('bankid')
  await invite(admin, organizationId, email)
  await invites.acceptWithSsn(email, await invites.mailedToken(email), 'bankid', ssn)
  const { browser, location } = await bankIdOf(portal).signIn(email, ssn, { startAt: requestFor(clientId) })
  const { url } = await browser.follow(await browser.get(location))
  const { body } = await exchange(clientId, parametersOf(url).code)
  expect((await userInfo(body.access_token)).json()).toMatchObject({ email })
  expect(decodeJwt(body.id_token)).toMatchObject({ amr: ['swk', 'mfa'] })
  expect(await invites.userOf(email)).toMatchObject({ pending: false })
})

describe('a service signs people in with standard OpenID Connect', () => {
  test('discovery names the issuer and its capabilities', async () => {
    const document = (await portal.browser().get('/oidc/.well-known/openid-configuration')).json()
    expect(document).toMatchObject({
      issuer: 'http://portal.test/oidc',
      token_endpoint: 'http://portal.test/oidc/token',
      response_types_supported: ['code', 'none'],
      code_challenge_methods_supported: ['S256'],
      backchannel_logout_supported: true,
      ui_locales_supported: ['sv', 'en', 'fi', 'fr'],
    })
  })

  test('with a code, PKCE and an ID token that our keys verify', async () => {
    const clientId = await register()
    const person = await portal.person({ firstName: 'Åsa', lastName: 'Öberg', preferredLanguage: 'fi' })
    const browser = portal.browser()
    const { page } = await openSignIn(browser, requestFor(clientId))
    expect((await browser.get(page)).headers['content-security-policy']).toContain(
      "form-action 'self' https://journal.example",
    )
    const { code, state } = parametersOf(await finishSignIn(browser, page, person.email))
    expect(state).toBe('the state')
    const { status, body } = await exchange(clientId, code)
    expect(status).toBe(200)
    const jwks = (await browser.get('/oidc/jwks')).json()
    expect(JSON.stringify(jwks)).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
    const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(jwks), {
      issuer: 'http://portal.test/oidc',
      audience: clientId,
    })
    expect(payload).toMatchObject({ sub: person.accountId, nonce: 'the nonce' })
    const claims = (await userInfo(body.access_token)).json()
    expect(claims).toEqual({
      sub: person.accountId,
      name: 'Åsa Öberg',
      given_name: 'Åsa',
      family_name: 'Öberg',
      preferred_username: person.email,
      locale: 'fi',
      email: person.email,
      email_verified: true,
    })
    expect((await browser.get('/api/me')).statusCode).toBe(200)
  })

  test.each([
    ['mailedLink', true],
    ['mailedCode', true],
    ['samlDomain', true],
    ['operator', false],
    [null, false],
  ] as const)('whose address is verified as far as it was proven: %s', async (emailProof, isVerified) => {
    const person = await portal.person({ emailProof, superUser: emailProof === 'operator' })
    const { tokens } = await signInTo(await register(), person)
    expect((await userInfo(tokens.access_token)).json()).toMatchObject({ email_verified: isVerified })
  })

  test('without a new sign-in, for a user who is signed in to the portal', async () => {
    const clientId = await register()
    const browser = await portal.signedIn(await portal.person())
    const { url } = await browser.follow(await browser.get(requestFor(clientId)))
    expect(parametersOf(url).code).toBeTruthy()
  })

  test('also if the service requests consent explicitly', async () => {
    const clientId = await register()
    const browser = await portal.signedIn(await portal.person())
    const { url } = await browser.follow(
      await browser.get(requestFor(clientId, { prompt: 'consent', scope: 'openid offline_access' })),
    )
    expect(parametersOf(url).code).toBeTruthy()
  })

  test('an expired interaction of a service starts again and ends at the service', async () => {
    const clientId = await register()
    const { email } = await portal.person()
    const browser = portal.browser()
    const { page } = await openSignIn(browser, requestFor(clientId))
    portal.advance(3601)
    const { url } = await browser.follow(await submitPassword(browser, page, email))
    const end = await finishSignIn(browser, url.split('?')[0] ?? '', email)
    expect(parametersOf(end)).toMatchObject({ state: 'the state', code: expect.any(String) })
  })
})

test('PostgreSQL plans no statement of a sign-in, a session or a token for each call', async () => {
  const clientId = await register()
  const person = await portal.person()
  for (let call = 0; call < 8; call++) {
    await portal.signedIn(person)
    const { browser, tokens } = await signInTo(clientId, person)
    expect((await userInfo(tokens.access_token)).statusCode).toBe(200)
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    // The limits of one address start again.
    portal.advance(3600)
  }
  // Each connection has its own; the calls follow each other, so that the first connection did nearly all of it.
  const { rows } = await portal.system.pool.query<{ statement: string; generic: string; custom: string }>(
    'select statement, generic_plans as generic, custom_plans as custom from pg_prepared_statements',
  )
  // PostgreSQL makes five custom plans before it compares them with the generic one.
  const used = rows.filter(({ generic, custom }) => Number(generic) + Number(custom) > 5)
  expect(used.length).toBeGreaterThanOrEqual(8)
  expect(used.filter(({ custom }) => Number(custom) > 5)).toEqual([])
})

test('every statement of userinfo, introspection and a code exchange is prepared', async () => {
  const clientId = await register()
  const browser = await portal.signedIn(await portal.person())
  const { url } = await browser.follow(await browser.get(requestFor(clientId, { scope: 'openid organizations' })))
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const { body } = await exchange(clientId, parametersOf(url).code)
    expect((await userInfo(body.access_token)).statusCode).toBe(200)
    const fields = { token: body.access_token }
    const inspected = await portal.browser().submit('/oidc/token/introspection', fields, basic(clientId))
    expect(inspected.json()).toMatchObject({ active: true })
    expect(sent.mock.calls.length).toBeLessThanOrEqual(8)
    expect(sent.mock.calls.length).toBeGreaterThan(4)
    const unnamed = sent.mock.calls.map(([statement]) => statement as unknown).filter((one) => typeof one === 'string')
    // Remembered once an hour: not worth a place on every connection.
    expect(unnamed.filter((text) => !String(text).startsWith('update "clients" set "secret_used_at"'))).toEqual([])
  } finally {
    sent.mockRestore()
  }
})

describe('another person at a service in the same browser', () => {
  const ways = {
    'the service asks for a new sign-in': async () => ({ prompt: 'login' }),
    'the service expects that person': async (clientId: string, person: Person) => ({
      id_token_hint: (await signInTo(clientId, person)).tokens.id_token as string,
    }),
  }

  test.each(Object.entries(ways))('arrives at the service, when %s', async (_, ask) => {
    const clientId = await register()
    const [before, after] = [await portal.person(), await portal.person()]
    const { browser, tokens } = await signInTo(clientId, before)
    const old = browser.cookies()
    const { page } = await openSignIn(browser, requestFor(clientId, await ask(clientId, after)))
    const { code, state } = parametersOf(await finishSignIn(browser, page, after.email))
    expect(state).toBe('the state')
    const { body } = await exchange(clientId, code)
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: after.accountId })
    expect((await browser.get('/api/me')).json()).toMatchObject({ email: after.email })

    expect((await userInfo(tokens.access_token)).statusCode).toBe(401)
    expect((await renew(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant')
    const thief = portal.browser()
    for (const [name, value] of Object.entries(old)) thief.setCookie(name, value)
    expect((await thief.get('/api/me')).statusCode).toBe(401)
  })

  test('arrives there too when the one before signs out in another tab in between', async () => {
    const clientId = await register()
    const [before, after] = [await portal.person(), await portal.person()]
    const { browser } = await signInTo(clientId, before)
    const { page } = await openSignIn(browser, requestFor(clientId, { prompt: 'login' }))
    await browser.submit('/logout', {})
    const { code } = parametersOf(await finishSignIn(browser, page, after.email))
    const { body } = await exchange(clientId, code)
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: after.accountId })
  })
})

describe('the ID token tells a service how and when the user signed in', () => {
  const minutesSince = ({ iat = 0, auth_time }: JWTPayload) => Math.floor((iat - Number(auth_time)) / 60)

  test('with a password, and the time of that sign-in, also when it asks an hour later', async () => {
    const browser = portal.browser()
    const person = await portal.person()
    const first = await signInTo(await register(), person, browser)
    const claims = decodeJwt(first.tokens.id_token)
    expect([claims.amr, minutesSince(claims)]).toEqual([['pwd'], 0])
    // And half a minute: the provider counts in whole seconds.
    portal.advance(50.5 * 60)
    const clientId = await register()
    const { url } = await browser.follow(await browser.get(requestFor(clientId)))
    const { body } = await exchange(clientId, parametersOf(url).code)
    const later = decodeJwt(body.id_token)
    expect([later.amr, minutesSince(later)]).toEqual([['pwd'], 50])
    expect((await userInfo(body.access_token)).json()).not.toHaveProperty('amr')
  })

  test('with a password and a code', async () => {
    const clientId = await register()
    const { email } = await portal.person({ loginMethod: 'local2FA' })
    const browser = portal.browser()
    const { page } = await openSignIn(browser, requestFor(clientId))
    await submitPassword(browser, page, email)
    const code = await outboxOf(portal).codeSentTo(email)
    const fields = { email, login: email, password: testPassword, code }
    const { url } = await browser.follow(await browser.submit(`${page}/login`, fields))
    const { body } = await exchange(clientId, parametersOf(url).code)
    expect(decodeJwt(body.id_token)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
  })

  test('and discovery says so', async () => {
    const { claims_supported } = (await portal.browser().get('/oidc/.well-known/openid-configuration')).json()
    expect(claims_supported).toEqual(expect.arrayContaining(['amr', 'auth_time']))
  })
})

describe('a service that asks for the scope "organizations"', () => {
  test('learns where the person has it, and in which roles there; nothing of other organisations', async () => {
    const { serviceId } = await portal.service()
    const person = await portal.person()
    const places = await Promise.all(['Alfa', 'Beta', 'Gamma'].map((name) => portal.organization(name)))
    const [alfa, beta] = places
    for (const { organizationId } of places) await portal.offer(organizationId, serviceId)
    await portal.join(person.accountId, alfa?.organizationId ?? '')
    await portal.join(person.accountId, beta?.organizationId ?? '', 'organizationAdmin')
    // A member there, without the service.
    await portal.join(person.accountId, places[2]?.organizationId ?? '', 'organizationAdmin')
    await portal.assign(person.accountId, alfa?.organizationId ?? '', serviceId)
    await portal.assign(person.accountId, beta?.organizationId ?? '', serviceId, 'serviceAdmin')
    const claimsOf = async (clientId: string, scope: string) => {
      const browser = await portal.signedIn(person)
      const { url } = await browser.follow(await browser.get(requestFor(clientId, { scope })))
      const { body } = await exchange(clientId, parametersOf(url).code)
      return (await userInfo(body.access_token)).json()
    }
    const clientId = await register({ serviceId })
    expect((await claimsOf(clientId, 'openid organizations')).organizations).toEqual([
      { id: alfa?.organizationId, name: 'Alfa', number: null, roles: [] },
      { id: beta?.organizationId, name: 'Beta', number: null, roles: ['organizationAdmin', 'serviceAdmin'] },
    ])
    expect(await claimsOf(clientId, 'openid profile')).not.toHaveProperty('organizations')
    // A client of no service.
    expect(await claimsOf(await register(), 'openid organizations')).not.toHaveProperty('organizations')
  })
})

describe('what a service must not get', () => {
  test('a code without PKCE', async () => {
    const clientId = await register()
    const response = await portal.browser().get(requestFor(clientId, { code_challenge: '', code_challenge_method: '' }))
    expect(parametersOf(String(response.headers.location))).toMatchObject({ error: 'invalid_request' })
  })

  test('a redirect to an address that is not registered: a page in the language of the browser', async () => {
    const clientId = await register()
    const response = await portal.browser().get(requestFor(clientId, { redirect_uri: 'https://evil.example/' }), {
      accept: 'text/html',
      'accept-language': 'fi',
    })
    expect(response.statusCode).toBe(400)
    expect(response.headers.location).toBeUndefined()
    expect(response.headers['content-type']).toContain('text/html')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.body).toContain('lang="fi"')
  })

  test('a person who does not have the service', async () => {
    const { serviceId } = await portal.service()
    const { organizationId } = await portal.organization()
    await portal.offer(organizationId, serviceId)
    const clientId = await register({ serviceId })
    const [member, stranger] = [await portal.person(), await portal.person()]
    await portal.join(member.accountId, organizationId)
    await portal.assign(member.accountId, organizationId, serviceId)

    const outside = await portal.signedIn(stranger)
    expect((await outside.get(requestFor(clientId))).headers.location).toContain(`/no-access/${serviceId}`)
    const refused = await outside.get(requestFor(clientId, { prompt: 'none' }))
    expect(parametersOf(String(refused.headers.location))).toMatchObject({ error: 'access_denied', state: 'the state' })

    const { tokens } = await signInTo(clientId, member)
    expect((await userInfo(tokens.access_token)).statusCode).toBe(200)
    await portal.system.db.deleteFrom('serviceAssignments').where('accountId', '=', member.accountId).execute()
    expect((await renew(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await userInfo(tokens.access_token)).statusCode).toBe(401)
  })

  test('a code twice, or after a minute; using it twice revokes its tokens', async () => {
    const clientId = await register()
    const browser = await portal.signedIn(await portal.person())
    const codeNow = async () => parametersOf((await browser.follow(await browser.get(requestFor(clientId)))).url).code
    const late = await codeNow()
    portal.advance(61)
    expect((await exchange(clientId, late)).body.error).toBe('invalid_grant')
    const code = await codeNow()
    const first = await exchange(clientId, code)
    expect(first.status).toBe(200)
    expect((await exchange(clientId, code)).body.error).toBe('invalid_grant')
    expect((await userInfo(first.body.access_token)).statusCode).toBe(401)
  })

  test('tokens more than once for a code that is sent many times concurrently', async () => {
    const clientId = await register()
    const browser = await portal.signedIn(await portal.person())
    const { code } = parametersOf((await browser.follow(await browser.get(requestFor(clientId)))).url)
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(clientId, code)))
    const [first, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    // The others are replays, which revoke what the first has got.
    expect((await userInfo(first?.body.access_token)).statusCode).toBe(401)
    expect(
      answers.map(({ body }) => body.error ?? 'none').filter((error) => !['none', 'invalid_grant'].includes(error)),
    ).toEqual([])
  })

  test("anything with another client's secret or a token of another client", async () => {
    const [one, other] = [await register(), await register()]
    const { tokens } = await signInTo(one, await portal.person())
    expect((await renew(other, tokens.refresh_token)).body.error).toBe('invalid_grant')
    const asked = await portal
      .browser()
      .submit('/oidc/token/introspection', { token: tokens.access_token }, basic(other))
    expect(asked.json()).toEqual({ active: false })
    const own = await portal.browser().submit('/oidc/token/introspection', { token: tokens.access_token }, basic(one))
    expect(own.json()).toMatchObject({ active: true, client_id: one })
    const wrong = await portal.browser().submit(
      '/oidc/token',
      { grant_type: 'authorization_code', code: 'x' },
      {
        authorization: `Basic ${Buffer.from(`${one}:wrong`).toString('base64')}`,
      },
    )
    expect(wrong.statusCode).toBe(401)
  })
})

describe('refresh tokens', () => {
  test('rotate at every use, and reuse of an old one revokes the whole family', async () => {
    const clientId = await register()
    const { tokens } = await signInTo(clientId, await portal.person())
    const second = await renew(clientId, tokens.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(tokens.refresh_token)
    expect((await renew(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await renew(clientId, second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await userInfo(second.body.access_token)).statusCode).toBe(401)
  })

  test('end with the session, also one requested with offline_access', async () => {
    const clientId = await register()
    const browser = await portal.signedIn(await portal.person())
    const { url } = await browser.follow(
      await browser.get(requestFor(clientId, { prompt: 'consent', scope: 'openid offline_access' })),
    )
    const { body } = await exchange(clientId, parametersOf(url).code)
    await browser.submit('/logout', {})
    expect((await renew(clientId, body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await userInfo(body.access_token)).statusCode).toBe(401)
  })

  test('and access tokens end when they are revoked', async () => {
    const clientId = await register()
    const { tokens } = await signInTo(clientId, await portal.person())
    await portal.browser().submit('/oidc/token/revocation', { token: tokens.refresh_token }, basic(clientId))
    expect((await renew(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('signing out', () => {
  test('can begin at a service and ends there at once, with one event', async () => {
    const clientId = await register()
    const person = await portal.person()
    const { browser, tokens } = await signInTo(clientId, person)
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: 'https://journal.example/bye',
      state: 'the end',
    })
    const out = await browser.get(`/oidc/session/end?${query}`)
    expect(out.headers.location).toBe('https://journal.example/bye?state=the+end')
    expect((await browser.get('/api/me')).statusCode).toBe(401)
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('actorId', '=', person.accountId)
      .orderBy('id')
      .execute()
    expect(events.map(({ name }) => name)).toEqual(['loginSuccess', 'logout'])
  })

  test("that another site asks for without an ID token ends there by way of the portal's page", async () => {
    const clientId = await register()
    const { browser } = await signInTo(clientId, await portal.person())
    const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: 'https://journal.example/bye' })
    const { response, url } = await browser.follow(await browser.get(`/oidc/session/end?${query}`))
    expect(url).toBe('/logout')
    expect(response.headers['content-security-policy']).toContain("form-action 'self' https://journal.example")
    expect((await browser.submit('/logout', {})).headers.location).toBe('https://journal.example/bye')
  })

  test('never ends at an address that the service did not register', async () => {
    const clientId = await register()
    const { browser, tokens } = await signInTo(clientId, await portal.person())
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: 'https://evil.example/',
    })
    expect((await browser.get(`/oidc/session/end?${query}`)).statusCode).toBe(400)
    expect((await browser.submit('/logout', {})).headers.location).toBe('/signed-out')
  })
})
