import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { bearer, issuer, parametersOf, relyingParty } from './relying-party.ts'
import { callback, pkceOf, secret } from './service.ts'
import { finishSignIn } from './sign-in.ts'

// The modules of the OpenID Foundation's plans for Basic OP and Config OP, under their own names and in their order (those for the
// logout: oidc-conformance-logout). The list is that of OIDCCBasicTestPlan.java and OIDCCConfigTestPlan.java in
// https://gitlab.com/openid/conformance-suite, and so is the client: a secret by HTTP Basic, no PKCE.

const { portal, services, clientId, person, browser, call, discovery, ask, tokensFor } = await relyingParty()
afterAll(() => portal.close())

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

  test('oidcc-idtoken-signature: RS256 where the client says nothing, and a key of the published ones by its kid', async () => {
    const { id_token } = await tokensFor()
    const { alg, kid } = decodeProtectedHeader(id_token)
    expect([alg, kid]).toEqual(['RS256', expect.any(String)])
    const keys = createLocalJWKSet((await call('/oidc/jwks')).body)
    await jwtVerify(id_token, keys, { issuer, audience: clientId })
  })

  test('oidcc-idtoken-unsigned: does not apply, because the metadata does not offer it', async () => {
    expect((await discovery()).id_token_signing_alg_values_supported).not.toContain('none')
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
      code,
      client_id: posting,
      client_secret: secret,
    })
    expect(status).toBe(200)
  })

  test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: refused, and nothing is fetched', async () => {
    expect((await discovery()).request_uri_parameter_supported).toBe(false)
    const url = await ask({ request_uri: 'https://journal.example/request.jwt' })
    expect(parametersOf(url)).toMatchObject({ error: 'request_uri_not_supported' })
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

  test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const { challenge, proof } = pkceOf()
    const { href } = await ask(challenge)
    expect(await services.tokensAt(clientId, href, proof)).toHaveProperty('id_token')
  })
})

describe('oidcc-config-certification-test-plan', () => {
  test('oidcc-discovery-endpoint-verification', async () => {
    const { headers } = await portal.browser().get('/oidc/.well-known/openid-configuration')
    expect(headers['content-type']).toMatch(/^application\/json/)
    const found = await discovery()
    expect(found).toMatchObject({
      issuer,
      response_types_supported: expect.arrayContaining(['code']),
      subject_types_supported: expect.arrayContaining(['public']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      grant_types_supported: expect.arrayContaining(['authorization_code']),
      scopes_supported: expect.arrayContaining(['openid']),
      claims_supported: expect.arrayContaining(['sub']),
      code_challenge_methods_supported: ['S256'],
      claims_parameter_supported: true,
    })
    // In production BASE_URL must be https.
    const endpoints = Object.entries(found).filter(([name]) => /_(endpoint|uri)$/.test(name))
    expect(endpoints.length).toBeGreaterThan(5)
    for (const [, address] of endpoints) expect(address).toMatch(new RegExp(`^${issuer}/`))
    for (const key of (await call('/oidc/jwks')).body.keys) {
      expect(key).toMatchObject({ kty: expect.stringMatching(/^(RSA|EC)$/), kid: expect.any(String), use: 'sig' })
      for (const secretPart of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secretPart)
    }
  })
})
