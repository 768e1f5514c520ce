import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '#test/people.ts'
import { callback, servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
let person: Person
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
  person = await portal.person({ firstName: 'Åsa', lastName: 'Öberg' })
})
afterAll(() => portal?.close())

let count = 0
/** An API, and a service that may ask for it. */
async function apiWithCaller(apiToken: 'jwt' | 'opaque' = 'jwt') {
  const apiUri = `https://api.example/orders-${++count}`
  const api = await services.register({ name: 'Orders', apiUri, apiToken })
  return { apiUri, api, caller: await services.register({ apis: [apiUri] }) }
}
/** Signs in to a service that asks for an API, and redeems the code. */
async function tokensFor(clientId: string, resource: string, atToken: Record<string, string> = {}) {
  const browser = await portal.signedIn(person)
  const { url } = await browser.follow(await browser.get(services.requestFor(clientId, { resource })))
  return { url, tokens: url.includes('code=') ? await services.tokensAt(clientId, url, atToken) : undefined }
}

describe('a token for an API', () => {
  test('is signed for that API and says who, by which service, when and how', async () => {
    const { apiUri, caller } = await apiWithCaller()
    const { tokens } = await tokensFor(caller, apiUri)
    const jwks = (await portal.browser().get('/oidc/jwks')).json()
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, createLocalJWKSet(jwks), {
      issuer: 'http://portal.test/oidc',
      audience: apiUri,
      typ: 'at+jwt',
    })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({ sub: person.accountId, client_id: caller, jti: expect.any(String), amr: ['pwd'] })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(900)
    expect(payload.auth_time).toEqual(expect.any(Number))
    expect(JSON.stringify(payload)).not.toContain(person.email)
    // It opens nothing at the portal, so the ID token has what userinfo would say.
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(401)
    expect(decodeJwt(tokens.id_token)).toMatchObject({ name: 'Åsa Öberg', email: person.email })
    expect(decodeJwt((await services.renew(caller, tokens.refresh_token)).access_token)).toMatchObject({
      aud: apiUri,
      sub: person.accountId,
      amr: ['pwd'],
    })
  })

  test('is refused to a service that may not ask for it, and for one that nobody is', async () => {
    const { apiUri } = await apiWithCaller()
    const gone = await services.register({ apis: ['https://api.example/gone'] })
    for (const [clientId, resource] of [
      [await services.register(), apiUri],
      [gone, 'https://api.example/gone'],
    ] as const) {
      const { url } = await tokensFor(clientId, resource)
      expect(url).toContain(callback)
      expect(new URL(url).searchParams.get('error')).toBe('invalid_target')
    }
    // Nor at the token endpoint, after a sign-in without it.
    const { caller, apiUri: own } = await apiWithCaller()
    const { tokens } = await tokensFor(caller, own, { resource: apiUri })
    expect(tokens).toMatchObject({ error: 'invalid_target' })
  })

  test('without a signature is known to that API alone, and to nobody after the sign-out', async () => {
    const { apiUri, api, caller } = await apiWithCaller('opaque')
    const other = await services.register({ apiUri: 'https://api.example/other' })
    const { tokens } = await tokensFor(caller, apiUri)
    const { access_token: token, refresh_token: refresh } = tokens
    expect(await services.introspect(api, token)).toMatchObject({
      active: true,
      aud: apiUri,
      sub: person.accountId,
      client_id: caller,
    })
    for (const stranger of [caller, other])
      expect(await services.introspect(stranger, token)).toEqual({ active: false })
    // A refresh token is the caller's own.
    expect(await services.introspect(api, refresh)).toEqual({ active: false })
    expect(await services.introspect(caller, refresh)).toMatchObject({ active: true })
    // The API may not end what it may only look at.
    await services.revoke(api, token)
    expect(await services.introspect(api, token)).toMatchObject({ active: true })
    await services.revoke(caller, refresh)
    expect(await services.introspect(api, token)).toEqual({ active: false })
  })

  test.each(['jwt', 'opaque'] as const)(
    '(%s) is of the organisation of the sign-in, and ends there with it',
    async (kind) => {
      const { apiUri, api } = await apiWithCaller(kind)
      const { serviceId } = await portal.service('Journal')
      const caller = await services.register({ serviceId, apis: [apiUri] })
      const someone = await portal.person()
      const homes = [await portal.organization(), await portal.organization()]
      for (const { organizationId } of homes) {
        await portal.offer(organizationId, serviceId)
        await portal.join(someone.accountId, organizationId)
        await portal.assign(someone.accountId, organizationId, serviceId)
      }
      const id = homes[1]?.organizationId ?? ''
      const browser = await portal.signedIn(someone)
      const asked = services.requestFor(caller, { resource: apiUri, organization_id: id })
      const { url } = await browser.follow(await browser.get(asked))
      const { access_token: token } = await services.tokensAt(caller, url)
      const known = kind === 'jwt' ? decodeJwt(token) : await services.introspect(api, token)
      expect(known).toMatchObject({ aud: apiUri, organization: { id, name: expect.any(String) }, roles: [] })
      if (kind === 'jwt') return
      const root = await portal.signedIn(await portal.person({ superUser: true }))
      await root.delete(`/api/users/${someone.accountId}/organization/${id}`)
      expect(await services.introspect(api, token)).toEqual({ active: false })
    },
  )

  test('is given to a machine for itself', async () => {
    const { apiUri } = await apiWithCaller()
    const machine = await services.register({ kind: 'machine', redirectUris: [], apis: [apiUri] })
    const { access_token: token } = await services.tokenFor(machine, { resource: apiUri })
    expect(decodeJwt(token)).toMatchObject({ aud: apiUri, sub: machine, client_id: machine })
    expect(await services.tokenFor(machine, { resource: 'https://api.example/other' })).toMatchObject({
      error: 'invalid_target',
    })
  })
})

describe('the ID token', () => {
  test('carries name and e-mail where the client says so, and as little as before where not', async () => {
    const claims = async (clientId: string) => decodeJwt((await services.signInTo(clientId, person)).tokens.id_token)
    const filled = await claims(await services.register({ idTokenClaims: true }))
    expect(filled).toMatchObject({
      sub: person.accountId,
      name: 'Åsa Öberg',
      email: person.email,
      email_verified: true,
    })
    // What no scope asked for stays out.
    expect(filled).not.toHaveProperty('phone_number')
    const bare = await claims(await services.register())
    expect(bare).toMatchObject({ sub: person.accountId, amr: ['pwd'] })
    for (const claim of ['name', 'email', 'given_name']) expect(bare).not.toHaveProperty(claim)
  })
})

describe('a refresh token', () => {
  test('is replaced at each use; an old one ends all tokens of the sign-in', async () => {
    const clientId = await services.register()
    const { tokens: first } = await services.signInTo(clientId, person)
    const second = await services.renew(clientId, first.refresh_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await services.userInfo(second.access_token)).statusCode).toBe(200)
    expect(await services.renew(clientId, first.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    expect(await services.renew(clientId, second.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    expect((await services.userInfo(second.access_token)).statusCode).toBe(401)
  })

  test('and its access token end when the service revokes it, and another service cannot', async () => {
    const clientId = await services.register()
    const { tokens } = await services.signInTo(clientId, person)
    await services.revoke(await services.register(), tokens.refresh_token)
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(200)
    await services.revoke(clientId, tokens.refresh_token)
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(401)
    expect(await services.renew(clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  })

  test.each(['session', 'account', 'access'])('ends with the %s', async (end) => {
    const organization = await portal.organization()
    const { serviceId } = await portal.service('Journal')
    await portal.offer(organization.organizationId, serviceId)
    const someone = await portal.person()
    await portal.join(someone.accountId, organization.organizationId)
    await portal.assign(someone.accountId, organization.organizationId, serviceId)
    const clientId = await services.register({ serviceId })
    const { browser, tokens } = await services.signInTo(clientId, someone)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    if (end === 'session') await browser.submit('/logout', {})
    if (end === 'account') await root.delete(`/api/users/${someone.accountId}`)
    if (end === 'access')
      await root.delete(`/api/users/${someone.accountId}/organization/${organization.organizationId}`)
    expect(await services.renew(clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(401)
  })
})
