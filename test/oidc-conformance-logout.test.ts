import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, describe, expect, test } from 'vitest'
import { listenForLogouts, logoutsOf } from './logouts.ts'
import { issuer, relyingParty } from './relying-party.ts'
import { callback, pkceOf, secret, signedOut, verifier } from './service.ts'

// The OpenID Foundation's plans for RP-Initiated Logout OP (OIDCCRpInitiatedLogoutTestPlan.java; two modules that it once had are
// kept) and Back-Channel Logout OP, and a library that is not ours.

const { portal, services, clientId, person, call, discovery, ask } = await relyingParty()
afterAll(() => portal.close())

describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
  /** Asks for a sign-out, and confirms it where the portal's page asks. */
  async function leave(parameters: (idToken: string) => Record<string, string>) {
    const { browser: by, tokens } = await services.signInTo(clientId, person)
    const query = new URLSearchParams(parameters(tokens.id_token))
    const asked = await by.get(`/oidc/session/end?${query}`, { accept: 'text/html' })
    const { location } = asked.headers
    const end = location === '/logout' ? (await by.submit('/logout', {})).headers.location : location
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

  /** The same claims under `alg: none`. */
  const withoutSignature = (token: string) =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`

  test.each<[string, (hint: string) => Record<string, string>]>([
    ['bad-post-logout-redirect-uri', (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${signedOut}2` })],
    [
      'query-added-to-post-logout-redirect-uri',
      (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${signedOut}?a=b` }),
    ],
    ['bad-id-token-hint', () => ({ id_token_hint: 'bad', ...goal })],
    ['modified-id-token-hint', (hint) => ({ id_token_hint: withoutSignature(hint), ...goal, state: 'bye' })],
    [
      'modified-id-token-hint, another signature',
      (hint) => ({ id_token_hint: `${hint.slice(0, -8)}AAAAAAAA`, ...goal }),
    ],
  ])('oidcc-rp-initiated-logout-%s: an error page, and the person stays signed in', async (_, parameters) => {
    expect(await leave(parameters)).toEqual(refused)
  })
})

describe('oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
  test('oidcc-backchannel-logout-discovery-endpoint-verification', async () => {
    expect(await discovery()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      end_session_endpoint: `${issuer}/session/end`,
    })
  })

  test('oidcc-backchannel-rp-initiated-logout: the service gets one logout token, and the browser goes back to it', async () => {
    const receiver = await listenForLogouts()
    try {
      const told = await services.register({ backchannelLogoutUri: receiver.url })
      const { browser: by, tokens } = await services.signInTo(told, person)
      const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut, state: 'bye' }
      const out = await by.get(`/oidc/session/end?${new URLSearchParams(hint)}`, { accept: 'text/html' })
      expect(out.headers.location).toBe(`${signedOut}?state=bye`)
      expect(await logoutsOf(portal).deliver()).toEqual([])
      const [token = '', ...others] = receiver.tokens
      expect(others).toEqual([])
      const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet((await call('/oidc/jwks')).body), {
        issuer,
        audience: told,
        requiredClaims: ['iat', 'jti', 'exp'],
      })
      const { sub, sid } = decodeJwt(tokens.id_token)
      expect(payload).toMatchObject({
        sub,
        sid,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
      expect(payload).not.toHaveProperty('nonce')
      expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt', kid: expect.any(String) })
      const again = new URL((await by.get(services.requestFor(told, { prompt: 'none' }))).headers.location as string)
      expect(again.searchParams.get('error')).toBe('login_required')
    } finally {
      await receiver.close()
    }
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
