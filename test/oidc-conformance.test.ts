import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './client.ts'
import type { Person } from './people.ts'
import { callback, secret, servicesOf, signedOut, verifier } from './service.ts'
import { finishSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

// The modules of the OpenID Foundation's plans for Basic OP and RP-Initiated Logout OP, under their own names:
// https://gitlab.com/openid/conformance-suite. Every request here also carries PKCE, which those plans leave out.

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let clientId: string
let person: Person
let browser: Client
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  clientId = await services.register()
  person = await portal.person({ firstName: 'Åsa', lastName: 'Öberg', phoneNumber: '+46701234567' })
  browser = await portal.signedIn(person)
})
afterAll(() => portal.close())

const issuer = 'http://portal.test/oidc'

/** A request as a service's server sends it: without the headers and cookies of a browser. */
async function call(path: string, fields?: Record<string, string>, headers: Record<string, string> = {}) {
  const body = `${new URLSearchParams(fields)}`
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${body.length}` }
  const response = await portal.app.inject({
    method: fields ? 'POST' : 'GET',
    url: path,
    headers: {
      host: 'portal.test',
      ...(fields && form),
      ...headers,
    },
    ...(fields && { payload: body }),
  })
  return { status: response.statusCode, body: response.json() }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const discovery = async () => (await call('/oidc/.well-known/openid-configuration')).body

/** Where an authorization request ends, without anything that the person does. */
async function ask(more: Record<string, string> = {}, by: Client = browser): Promise<URL> {
  const { url } = await by.follow(await by.get(services.requestFor(clientId, more), { accept: 'text/html' }))
  return new URL(url, 'http://portal.test')
}
const parametersOf = (url: URL) => Object.fromEntries(url.searchParams)

async function tokensFor(more?: Record<string, string>, by?: Client) {
  const url = await ask(more, by)
  expect(url.href).toContain(`${callback}?code=`)
  return services.tokensAt(clientId, url.href)
}

describe('oidcc-basic-certification-test-plan', () => {
  test('oidcc-server: a whole sign-in, and an ID token with all that it must have', async () => {
    const by = portal.browser()
    const page = await ask({}, by)
    expect(page.pathname).toMatch(/^\/interaction\//)
    const end = new URL(await finishSignIn(by, page.pathname, person.email))
    expect(parametersOf(end)).toEqual({ code: expect.any(String), state: 'the state', iss: issuer })
    const tokens = await services.tokensAt(clientId, end.href)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
    const claims = decodeJwt(tokens.id_token)
    expect(claims).toMatchObject({ iss: issuer, aud: clientId, sub: person.accountId, nonce: 'the nonce' })
    expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat))
    const { keys } = (await call('/oidc/jwks')).body
    const { alg, kid } = decodeProtectedHeader(tokens.id_token)
    expect(alg).toBe('RS256')
    expect(keys.map((key: { kid: string }) => key.kid)).toContain(kid)
  })

  test('oidcc-response-type-missing: an error for the service', async () => {
    const url = await ask({ response_type: '' })
    expect(parametersOf(url)).toMatchObject({ error: 'invalid_request', state: 'the state' })
  })

  test.each([
    ['oidcc-userinfo-get', (token: string) => call('/oidc/me', undefined, bearer(token))],
    ['oidcc-userinfo-post-header', (token: string) => call('/oidc/me', {}, bearer(token))],
    ['oidcc-userinfo-post-body', (token: string) => call('/oidc/me', { access_token: token })],
  ])('%s: the same person as in the ID token', async (_, userInfo) => {
    const { access_token } = await tokensFor()
    expect(await userInfo(access_token)).toMatchObject({ status: 200, body: { sub: person.accountId } })
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { id_token } = await tokensFor({ nonce: '' })
    expect(decodeJwt(id_token)).not.toHaveProperty('nonce')
  })

  const names = { name: 'Åsa Öberg', given_name: 'Åsa', family_name: 'Öberg' }
  test.each([
    ['oidcc-scope-profile', 'openid profile', names, ['email', 'phone_number']],
    ['oidcc-scope-email', 'openid email', { email_verified: expect.any(Boolean) }, ['name', 'phone_number']],
    ['oidcc-scope-phone', 'openid phone', { phone_number: '+46701234567' }, ['name', 'email']],
    ['oidcc-scope-all', 'openid profile email phone', { ...names, phone_number: '+46701234567' }, []],
    ['oidcc-ensure-other-scope-order-succeeds', 'email openid', { email_verified: expect.any(Boolean) }, ['name']],
  ])('%s: the claims of the scope, and no others', async (_, scope, given, absent) => {
    const { access_token } = await tokensFor({ scope })
    const { body } = await call('/oidc/me', undefined, bearer(access_token))
    expect(body).toMatchObject({ sub: person.accountId, ...given })
    for (const claim of absent) expect(body).not.toHaveProperty(claim)
  })

  test('oidcc-scope-address: does not apply, because the metadata does not offer the scope', async () => {
    expect((await discovery()).scopes_supported).not.toContain('address')
  })

  test.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-login-hint', { login_hint: 'someone@test.example' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-valid-pkce-succeeds', {}],
  ])('%s: the sign-in succeeds', async (_, more: Record<string, string>) => {
    expect(await tokensFor(more)).toHaveProperty('id_token')
  })

  /** Seconds from the sign-in to the token: the clock of these tests does not move the provider's. */
  const age = ({ id_token }: { id_token: string }) => {
    const { iat, auth_time } = decodeJwt(id_token)
    return Number(iat) - Number(auth_time)
  }

  test.each([
    ['oidcc-prompt-login', { prompt: 'login' }],
    ['oidcc-max-age-1', { max_age: '1' }],
  ])('%s: the person signs in again, and the time of it is later', async (_, more: Record<string, string>) => {
    const by = await portal.signedIn(person)
    portal.advance(60)
    expect(age(await tokensFor({}, by))).toBeGreaterThanOrEqual(59)
    const page = await ask(more, by)
    expect(page.pathname).toMatch(/^\/interaction\//)
    const again = await services.tokensAt(clientId, await finishSignIn(by, page.pathname, person.email))
    expect(age(again)).toBeLessThan(10)
  })

  test.each([
    ['oidcc-max-age-10000', { max_age: '10000' }],
    ['oidcc-prompt-none-logged-in', { prompt: 'none' }],
  ])('%s: the same person and the same sign-in, without a page', async (_, more: Record<string, string>) => {
    const by = await portal.signedIn(person)
    portal.advance(60)
    const tokens = await tokensFor(more, by)
    expect(decodeJwt(tokens.id_token).sub).toBe(person.accountId)
    expect(age(tokens)).toBeGreaterThanOrEqual(59)
  })

  test('oidcc-prompt-none-not-logged-in: an error without a page', async () => {
    const url = await ask({ prompt: 'none' }, portal.browser())
    expect(parametersOf(url)).toMatchObject({ error: 'login_required', state: 'the state' })
  })

  test('oidcc-id-token-hint: no page for the person of the ID token', async () => {
    const { id_token } = await tokensFor()
    const second = await tokensFor({ prompt: 'none', id_token_hint: id_token })
    expect(decodeJwt(second.id_token).sub).toBe(person.accountId)
  })

  test.each([
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30],
  ])('%s: refused, and the tokens of the first use are revoked', async (_, seconds) => {
    const { href } = await ask()
    const { access_token } = await services.tokensAt(clientId, href)
    portal.advance(seconds)
    expect(await services.tokensAt(clientId, href)).toMatchObject({ error: 'invalid_grant' })
    expect((await call('/oidc/me', undefined, bearer(access_token))).status).toBe(401)
  })

  test('oidcc-ensure-registered-redirect-uri: an error page, and no redirect', async () => {
    const response = await browser.get(services.requestFor(clientId, { redirect_uri: `${callback}/other` }))
    expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
  })

  test('oidcc-ensure-post-request-succeeds', async () => {
    const form = await portal.browser().submit('/oidc/auth', services.parametersFor(clientId), {
      'sec-fetch-site': 'cross-site',
    })
    const { url } = await browser.follow(form)
    expect(await services.tokensAt(clientId, url)).toHaveProperty('id_token')
  })

  test('oidcc-server-client-secret-post', async () => {
    const posting = await services.register()
    const method = { tokenEndpointAuthMethod: 'client_secret_post' }
    await portal.system.db.updateTable('clients').set(method).where('clientId', '=', posting).execute()
    const { url } = await browser.follow(await browser.get(services.requestFor(posting)))
    const code = new URL(url).searchParams.get('code') ?? ''
    const { status } = await call('/oidc/token', {
      grant_type: 'authorization_code',
      redirect_uri: callback,
      code_verifier: verifier,
      code,
      client_id: posting,
      client_secret: secret,
    })
    expect(status).toBe(200)
  })

  test.each([
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    'oidcc-ensure-request-object-with-redirect-uri',
  ])('%s: refused as not supported', async () => {
    expect((await discovery()).request_parameter_supported ?? false).toBe(false)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const request = `${part({ alg: 'none' })}.${part(services.parametersFor(clientId))}.`
    expect(parametersOf(await ask({ request }))).toMatchObject({ error: 'request_not_supported' })
  })

  test('oidcc-claims-essential: the name, from userinfo', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { access_token } = await tokensFor({ scope: 'openid', claims })
    expect((await call('/oidc/me', undefined, bearer(access_token))).body.name).toBe('Åsa Öberg')
  })

  test('oidcc-refresh-token: new tokens for the same person, and not for another client', async () => {
    const first = await tokensFor()
    const other = await services.register()
    expect(await services.renew(other, first.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    const second = await services.renew(clientId, first.refresh_token)
    const claims = ({ id_token }: { id_token: string }) => {
      const { iss, sub, aud, auth_time } = decodeJwt(id_token)
      return { iss, sub, aud, auth_time }
    }
    expect(claims(second)).toEqual(claims(first))
    expect((await call('/oidc/me', undefined, bearer(second.access_token))).status).toBe(200)
  })
})

describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
  /** Asks for a sign-out and confirms it at the portal's page. */
  async function leave(parameters: (idToken: string) => Record<string, string>) {
    const { browser: by, tokens } = await services.signInTo(clientId, person)
    const query = new URLSearchParams(parameters(tokens.id_token))
    const asked = await by.get(`/oidc/session/end?${query}`, { accept: 'text/html' })
    const end = asked.statusCode === 303 ? (await by.submit('/logout', {})).headers.location : undefined
    return { status: asked.statusCode, end, signedIn: (await ask({ prompt: 'none' }, by)).searchParams.has('code') }
  }
  const out = (end: string) => ({ status: 303, end, signedIn: false })
  const refused = { status: 400, end: undefined, signedIn: true }
  const goal = { post_logout_redirect_uri: signedOut }

  test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
    expect(await discovery()).toMatchObject({ issuer, end_session_endpoint: `${issuer}/session/end` })
  })

  test.each<[string, (hint: string) => Record<string, string>, ReturnType<typeof out>]>([
    ['', (hint) => ({ id_token_hint: hint, ...goal, state: 'bye' }), out(`${signedOut}?state=bye`)],
    ['-no-state', (hint) => ({ id_token_hint: hint, ...goal }), out(signedOut)],
    ['-no-post-logout-redirect-uri', (hint) => ({ id_token_hint: hint, state: 'bye' }), out('/signed-out')],
    ['-no-params', () => ({}), out('/signed-out')],
    ['-only-state', () => ({ state: 'bye' }), out('/signed-out')],
    ['-no-id-token-hint', () => ({ ...goal, state: 'bye' }), out('/signed-out')],
  ])('oidcc-rp-initiated-logout%s: the person is signed out', async (_, parameters, expected) => {
    expect(await leave(parameters)).toEqual(expected)
  })

  test.each<[string, (hint: string) => Record<string, string>]>([
    ['bad-post-logout-redirect-uri', (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${signedOut}2` })],
    [
      'query-added-to-post-logout-redirect-uri',
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${signedOut}?a=b` }),
    ],
    ['bad-id-token-hint', () => ({ id_token_hint: 'bad', ...goal })],
    ['modified-id-token-hint', (hint) => ({ id_token_hint: `${hint.slice(0, -8)}AAAAAAAA`, ...goal })],
  ])('oidcc-rp-initiated-logout-%s: an error page, and the person stays signed in', async (_, parameters) => {
    expect(await leave(parameters)).toEqual(refused)
  })
})

test('oauth4webapi, a library that is not ours, signs somebody in and reads, renews, inspects and revokes', async () => {
  const options = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (
      url: string,
      init: { method: string; headers: Record<string, string>; body?: unknown },
    ) => {
      const answer = await portal.app.inject({
        method: init.method as 'GET',
        url: url.slice('http://portal.test'.length),
        headers: { ...init.headers, host: 'portal.test' },
        ...(init.body !== undefined && { payload: String(init.body) }),
      })
      return new Response(answer.body, { status: answer.statusCode, headers: answer.headers as Record<string, string> })
    },
  } as { [oauth.allowInsecureRequests]: true }
  const found = await oauth.discoveryRequest(new URL(issuer), options)
  const as = await oauth.processDiscoveryResponse(new URL(issuer), found)
  const client: oauth.Client = { client_id: clientId }
  const auth = oauth.ClientSecretBasic(secret)

  const parameters = oauth.validateAuthResponse(as, client, await ask(), 'the state')
  const code = await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, callback, verifier, options)
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, code, { expectedNonce: 'the nonce' })
  await oauth.validateApplicationLevelSignature(as, code, options)
  const { sub = '' } = oauth.getValidatedIdTokenClaims(tokens) ?? {}
  const info = await oauth.userInfoRequest(as, client, tokens.access_token, options)
  expect(await oauth.processUserInfoResponse(as, client, sub, info)).toMatchObject({ email: person.email })

  const renewed = await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? '', options)
  const { access_token } = await oauth.processRefreshTokenResponse(as, client, renewed)
  const active = async () =>
    (
      await oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, auth, access_token, options),
      )
    ).active
  expect(await active()).toBe(true)
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, access_token, options))
  expect(await active()).toBe(false)
})
