import { createHmac } from 'node:crypto'
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { callback, pkceOf, secret, servicesOf, verifier } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { unlimited } from '#test/unlimited.ts'

// docs/public-holes.md: holes of OpenID Providers.

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let person: Person
let browser: Client
beforeAll(async () => {
  portal = await testApp(unlimited)
  services = servicesOf(portal)
  person = await portal.person({ firstName: 'Åsa' })
  browser = await portal.signedIn(person)
})
afterAll(() => portal.close())

/** Where a request ends, without a page. */
const ask = async (clientId: string, more: Record<string, string> = {}) => {
  const { headers } = await browser.get(services.requestFor(clientId, more), { accept: 'text/html' })
  return new URL(String(headers.location), 'http://portal.test')
}
const redeem = async (fields: Record<string, string>, more: Record<string, string> = {}) =>
  (
    await portal.browser().submit('/oidc/token', fields, {
      accept: 'application/json',
      ...more,
    })
  ).json()
const basic = (clientId: string) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

test('a refresh token that twenty requests bring at once leaves one family of tokens, or none', async () => {
  const node = await portal.anotherNode()
  try {
    const clientId = await services.register()
    const { tokens } = await services.signInTo(clientId, person)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const nodes = [portal.browser(), node.browser()]
    const send = (_: unknown, turn: number) =>
      nodes[turn % 2]?.submit('/oidc/token', form, { accept: 'application/json', ...basic(clientId) })
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    const given = answers.flatMap((answer) => (answer?.statusCode === 200 ? [answer.json()] : []))
    expect(given.length).toBeLessThanOrEqual(1)
    // Each of the others was a reuse.
    for (const { access_token } of given) expect((await services.userInfo(access_token)).statusCode).toBe(401)
  } finally {
    await node.close()
  }
})

describe('PKCE', () => {
  const grant = (code: string) => ({ grant_type: 'authorization_code', redirect_uri: callback, code })

  test.each<[string, Record<string, string>]>([
    ['missing', { code_challenge: '', code_challenge_method: '' }],
    ['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['of no method, which means plain', { code_challenge: verifier, code_challenge_method: '' }],
    ['of another method', { code_challenge: verifier, code_challenge_method: 's256' }],
  ])('is demanded: a challenge that is %s gets no code', async (_, more) => {
    const { searchParams } = await ask(await services.register(), more)
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null])
  })

  test('cannot be left out at the end, nor made up there', async () => {
    const clientId = await services.register()
    const code = async (more = {}) => (await ask(clientId, more)).searchParams.get('code') ?? ''
    for (const proof of [{}, { code_verifier: '' }, { code_verifier: pkceOf().challenge.code_challenge }])
      expect(await redeem({ ...grant(await code()), ...proof }, basic(clientId))).toHaveProperty('error')
    const without = await services.register({ pkceRequired: false })
    const { searchParams } = await ask(without, { code_challenge: '', code_challenge_method: '' })
    const made = { ...grant(searchParams.get('code') ?? ''), code_verifier: verifier }
    expect(await redeem(made, basic(without))).toMatchObject({ error: 'invalid_grant' })
  })
})

test('code, refresh token and pushed request of one client are worth nothing at another', async () => {
  const [own, other] = [await services.register(), await services.register()]
  const { href } = await ask(own)
  expect(await services.tokensAt(other, href)).toMatchObject({ error: 'invalid_grant' })
  const { tokens } = await services.signInTo(own, person)
  expect(await services.renew(other, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  const pushed = await portal
    .browser()
    .submit('/oidc/request', { ...services.parametersFor(own), client_secret: secret }, { accept: 'application/json' })
  const taken = new URLSearchParams({ client_id: other, request_uri: pushed.json().request_uri })
  const answer = await browser.get(`/oidc/auth?${taken}`, { accept: 'text/html' })
  expect(String(answer.headers.location)).not.toContain('code=')
})

test('an inactive token, one of another client and one that never was get the same answer, and nobody without a secret gets any', async () => {
  const [own, other] = [await services.register(), await services.register()]
  const { tokens } = await services.signInTo(own, person)
  const gone = (await services.signInTo(own, person)).tokens.access_token
  await services.revoke(own, gone)
  for (const token of [gone, 'made-up', `${tokens.access_token}x`])
    expect(await services.introspect(own, token)).toEqual({ active: false })
  for (const token of [tokens.access_token, tokens.refresh_token])
    expect(await services.introspect(other, token)).toEqual({ active: false })
  const publicClient = await services.register({
    kind: 'singlePage',
    tokenEndpointAuthMethod: 'none',
    secretSealed: null,
  })
  for (const client of [publicClient, own, 'portal']) {
    const form = { token: tokens.access_token, client_id: client }
    const answer = await portal.browser().submit('/oidc/token/introspection', form, { accept: 'application/json' })
    expect(answer.json()).not.toMatchObject({ active: true })
  }
})

test('what proves a client by its key is signed by that key, with an algorithm of keys', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), use: 'sig' }] })
  const keyed = await services.register({ tokenEndpointAuthMethod: 'private_key_jwt', jwks, secretSealed: null })
  const withSecret = await services.register()
  let ids = 0
  const claims = (clientId: string, more: object = {}) => ({
    iss: clientId,
    sub: clientId,
    aud: 'http://portal.test/oidc',
    jti: `${++ids}`,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 60,
    ...more,
  })
  const right = (clientId: string, more?: object) =>
    new SignJWT(claims(clientId, more)).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const hmac = (clientId: string, key: string) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'HS256' })}.${part(claims(clientId))}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const present = async (clientId: string, assertion: string) =>
    (
      await redeem({
        grant_type: 'authorization_code',
        redirect_uri: callback,
        code: (await ask(clientId)).searchParams.get('code') ?? '',
        code_verifier: verifier,
        client_id: clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      })
    ).error
  expect(await present(keyed, await right(keyed))).toBeUndefined()
  const stranger = await generateKeyPair('RS256')
  const forged: [string, string][] = [
    [keyed, hmac(keyed, await exportSPKI(publicKey))],
    [keyed, hmac(keyed, jwks)],
    [keyed, hmac(keyed, secret)],
    [keyed, new UnsecuredJWT(claims(keyed)).encode()],
    [keyed, await new SignJWT(claims(keyed)).setProtectedHeader({ alg: 'RS256' }).sign(stranger.privateKey)],
    [keyed, await right(keyed, { sub: withSecret })],
    [keyed, await right(keyed, { aud: 'https://other.example' })],
    [keyed, await right(keyed, { exp: 1 })],
    [withSecret, await right(withSecret)],
    [withSecret, hmac(withSecret, secret)],
    [withSecret, new UnsecuredJWT(claims(withSecret)).encode()],
  ]
  for (const [clientId, assertion] of forged)
    expect(await present(clientId, assertion), assertion).toMatch(/^invalid_(client|request)$/)
})

test('a scope that a super user takes off a client is gone from the next use of its tokens on', async () => {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const { serviceId } = await portal.service()
  const { organizationId } = await portal.organization()
  await portal.offer(organizationId, serviceId)
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  const clientId = await services.register({ serviceId, idTokenClaims: true })
  const { tokens } = await services.signInTo(clientId, person, browser)
  expect(decodeJwt(tokens.id_token)).toHaveProperty('name')
  expect((await services.userInfo(tokens.access_token)).json()).toMatchObject({ name: expect.any(String) })
  const saved = await root.put(`/api/services/${serviceId}/client`, { scopes: ['openid'] })
  expect(saved.statusCode).toBe(200)
  expect((await services.userInfo(tokens.access_token)).json()).toEqual({ sub: person.accountId })
  const renewed = await services.renew(clientId, tokens.refresh_token)
  expect(decodeJwt(renewed.id_token)).not.toHaveProperty('name')
  expect((await services.userInfo(renewed.access_token)).json()).toEqual({ sub: person.accountId })
})

test('another site reads nothing of the provider or the portal with the tokens of a service', async () => {
  const clientId = await services.register()
  const { tokens } = await services.signInTo(clientId, person)
  const origin = 'https://evil.example'
  const bearer = { authorization: `Bearer ${tokens.access_token}`, origin }
  const answers = [
    await portal.app.inject({ url: '/oidc/me', headers: { host: 'portal.test', ...bearer } }),
    await portal.app.inject({ url: '/api/me', headers: { host: 'portal.test', ...bearer } }),
    await portal.app.inject({
      method: 'POST',
      url: '/oidc/token',
      headers: { host: 'portal.test', origin, 'content-type': 'application/x-www-form-urlencoded', ...basic(clientId) },
      payload: `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })}`,
    }),
  ]
  for (const { headers } of answers) expect([origin, '*']).not.toContain(headers['access-control-allow-origin'])
})

test('what a service sends along comes back as text in the page that posts to it', async () => {
  const clientId = await services.register()
  const state = '"><script>alert(1)</script>\'&amp;<img src=x onerror=alert(1)>'
  for (const more of [{}, { response_type: 'token' }, { prompt: 'none', max_age: 'x' }]) {
    const asked = services.requestFor(clientId, { response_mode: 'form_post', state, nonce: state, ...more })
    const { body } = await browser.get(asked, { accept: 'text/html' })
    expect(body).toContain('name="state"')
    expect(body).not.toMatch(/<script>alert|<img/)
  }
})
