import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, describe, expect, test } from 'vitest'
import { listenForLogouts, logoutsOf } from './logouts.ts'
import { bearer, issuer, parametersOf, relyingParty } from './relying-party.ts'
import { callback, pkceOf, secret, verifier } from './service.ts'
import { finishSignIn } from './sign-in.ts'

// The parts of the standards that a library leaves to its user: docs/services.md, "Which parts of the standards".

const { portal, services, clientId, person, browser, call, discovery, ask, tokensFor } = await relyingParty()
afterAll(() => portal.close())

const claimsOf = async (client: string, scope: string) => {
  const { url } = await browser.follow(await browser.get(services.requestFor(client, { scope })))
  const tokens = await services.tokensAt(client, url)
  return { tokens, claims: (await call('/oidc/me', undefined, bearer(tokens.access_token))).body }
}

describe('OpenID Connect Core 5.1: preferred_username', () => {
  test('is the address that the person signs in with, by the scope profile, and stands in the ID token too', async () => {
    const told = await services.register({ idTokenClaims: true })
    const { tokens, claims } = await claimsOf(told, 'openid profile')
    expect(claims).toMatchObject({ preferred_username: person.email })
    expect(decodeJwt(tokens.id_token)).toMatchObject({ preferred_username: person.email })
    expect((await claimsOf(told, 'openid email')).claims).not.toHaveProperty('preferred_username')
    expect((await discovery()).claims_supported).toContain('preferred_username')
  })

  test('is withheld from a service that may not have addresses, whatever it asks for', async () => {
    const silent = await services.register({ scopes: ['openid', 'profile'] })
    expect((await claimsOf(silent, 'openid profile')).claims).not.toHaveProperty('preferred_username')
    const claims = JSON.stringify({ userinfo: { preferred_username: { essential: true } } })
    const { url } = await browser.follow(await browser.get(services.requestFor(silent, { scope: 'openid', claims })))
    const { access_token } = await services.tokensAt(silent, url)
    expect((await call('/oidc/me', undefined, bearer(access_token))).body).toEqual({ sub: person.accountId })
  })
})

describe('OpenID Connect Core 3.1.2.1: prompt=select_account', () => {
  test('leads a person with a session to the address, filled in, and the person who signs in there arrives at the service', async () => {
    const other = await portal.person()
    const by = await portal.signedIn(person)
    const page = await ask({ prompt: 'select_account' }, by)
    expect([page.pathname, page.searchParams.get('email')]).toEqual([
      expect.stringMatching(/^\/interaction\/[^/]+$/),
      person.email,
    ])
    const end = await finishSignIn(by, page.pathname, other.email)
    expect(decodeJwt((await services.tokensAt(clientId, end)).id_token).sub).toBe(other.accountId)
    expect((await by.get('/api/me')).json().email).toBe(other.email)
  })

  test('lets the same person go on, once, and also beside prompt=login', async () => {
    for (const prompt of ['select_account', 'login select_account', 'select_account consent', 'login consent']) {
      const by = await portal.signedIn(person)
      const page = await ask({ prompt }, by)
      const end = await finishSignIn(by, page.pathname, person.email)
      expect(decodeJwt((await services.tokensAt(clientId, end)).id_token).sub, prompt).toBe(person.accountId)
    }
  })

  test('stands in the metadata, and beside prompt=none it is an error', async () => {
    expect((await discovery()).prompt_values_supported).toContain('select_account')
    const refused = parametersOf(await ask({ prompt: 'none select_account' }))
    expect(refused).toMatchObject({ error: 'invalid_request', state: 'the state' })
  })
})

describe('scopes (OpenID Connect Core 3.1.2.1, RFC 6749 3.3)', () => {
  test('an unknown one is ignored, and the answer says which ones count', async () => {
    const tokens = await tokensFor({ scope: 'openid address groups email' })
    expect(tokens.scope).toBe('openid email')
  })

  test('a known one that the client does not have is refused at the redirect address', async () => {
    const narrow = await services.register({ scopes: ['openid', 'profile'] })
    const { url } = await browser.follow(await browser.get(services.requestFor(narrow, { scope: 'openid phone' })))
    expect(url).toContain(`${callback}?error=invalid_scope&`)
  })
})

test('an ID token and a logout token are signed with ES256 for a client that wants it, as discovery offers', async () => {
  const receiver = await listenForLogouts()
  try {
    const modern = await services.register({ idTokenAlgorithm: 'ES256', backchannelLogoutUri: receiver.url })
    const { browser: by, tokens } = await services.signInTo(modern, person)
    const keys = createLocalJWKSet((await call('/oidc/jwks')).body)
    expect((await discovery()).id_token_signing_alg_values_supported).toEqual(['RS256', 'ES256'])
    expect(decodeProtectedHeader(tokens.id_token).alg).toBe('ES256')
    await jwtVerify(tokens.id_token, keys, { issuer, audience: modern, algorithms: ['ES256'] })
    // The hint is checked with the client's algorithm.
    const out = await by.get(`/oidc/session/end?${new URLSearchParams({ id_token_hint: tokens.id_token })}`)
    expect(out.headers.location).toBe('/signed-out')
    await logoutsOf(portal).deliver()
    await jwtVerify(receiver.tokens[0] ?? '', keys, { issuer, audience: modern, algorithms: ['ES256'] })
  } finally {
    await receiver.close()
  }
})

test('every algorithm, scope, prompt and way to authenticate that discovery offers can be had by a client', async () => {
  const found = await discovery()
  expect(found.scopes_supported).toEqual([
    'openid',
    'offline_access',
    'directory',
    'profile',
    'email',
    'phone',
    'organizations',
    'organization',
    'personal_identity_number',
  ])
  expect(found.token_endpoint_auth_methods_supported).toEqual([
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
  ])
  expect(found.response_modes_supported).toEqual(['form_post', 'fragment', 'query'])
  for (const prompt of found.prompt_values_supported)
    expect(parametersOf(await ask({ prompt })).error, prompt).toBeUndefined()
})

test('RFC 9207: success and error name the issuer', async () => {
  expect((await discovery()).authorization_response_iss_parameter_supported).toBe(true)
  expect(parametersOf(await ask())).toMatchObject({ iss: issuer })
  expect(parametersOf(await ask({ response_type: '' }))).toMatchObject({ iss: issuer })
  expect(parametersOf(await ask({ prompt: 'none' }, portal.browser()))).toMatchObject({ iss: issuer })
})

test('RFC 8414: the metadata of both addresses is the same', async () => {
  expect((await call('/.well-known/oauth-authorization-server/oidc')).body).toEqual(await discovery())
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

  const parameters = oauth.validateAuthResponse(as, client, await ask(pkceOf().challenge), 'the state')
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
