import { hash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientAuthentications } from '#contract/service-clients/client-form.ts'
import { advanceKeyRotation, rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import { callback, servicesOf } from '#test/service.ts'
import { type TestApp, testApp, testMasterKey } from '#test/test-app.ts'

let portal: TestApp
let services: ReturnType<typeof servicesOf>
beforeAll(async () => {
  portal = await testApp()
  services = servicesOf(portal)
})
afterAll(() => portal.close())

const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://journal.example' }
const page = { accept: 'text/html' }

describe("a service's page posts its request", () => {
  test('and the sign-in goes on in the same browser, without the cookies that a post of another site lacks', async () => {
    const clientId = await services.register()
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    // A browser sends no SameSite=Lax cookie with the form of another site.
    const response = await portal.browser().submit('/oidc/auth', services.parametersFor(clientId), crossSite)
    expect([response.statusCode, response.headers['set-cookie']]).toEqual([303, undefined])
    const { url } = await browser.follow(response)
    const tokens = await services.tokensAt(clientId, url)
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: person.accountId, nonce: 'the nonce' })
  })

  test('without a client: an error, not a longer session', async () => {
    const browser = await portal.signedIn(await portal.person())
    const response = await browser.submit('/oidc/auth', { scope: 'openid' }, crossSite)
    const { response: refused } = await browser.follow(response)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('client_id')
  })

  test('with a parameter twice: refused', async () => {
    const clientId = await services.register()
    const fields = `${new URLSearchParams(services.parametersFor(clientId))}&scope=openid`
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/oidc/auth',
      headers: { host: 'portal.test', 'content-type': 'application/x-www-form-urlencoded', ...crossSite },
      payload: fields,
    })
    const { url } = await portal.browser().follow(answer)
    expect(new URL(url).searchParams.get('error')).toBe('invalid_request')
  })

  test('as JSON, or larger than an address can be: refused', async () => {
    const browser = portal.browser()
    expect((await browser.post('/oidc/auth', {}, crossSite)).statusCode).toBe(415)
    const clientId = await services.register()
    const large = services.parametersFor(clientId, { state: 'ä'.repeat(2000) })
    expect((await browser.submit('/oidc/auth', large, crossSite)).statusCode).toBe(413)
  })

  test('to sign out: nobody is signed out by the post, and the person is asked', async () => {
    const browser = await portal.signedIn(await portal.person())
    const response = await browser.submit('/oidc/session/end', {}, crossSite)
    expect(response.statusCode).toBe(303)
    const { url } = await browser.follow(response)
    expect(url.split('?')[0]).toBe('/logout')
    expect((await browser.get('/api/me')).statusCode).toBe(200)
  })

  test('to no other address of the provider', async () => {
    const browser = portal.browser()
    for (const path of ['/oidc/session/end/confirm', '/oidc/auth/x', '/oidc/session/end/success'])
      expect((await browser.submit(path, {}, crossSite)).statusCode, path).toBe(403)
  })
})

describe('the documents that libraries read', () => {
  const discovery = '/oidc/.well-known/openid-configuration'

  test('the metadata stands at the address of RFC 8414, too', async () => {
    const browser = portal.browser()
    const own = await browser.get('/.well-known/oauth-authorization-server/oidc')
    expect([own.statusCode, own.headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(own.json()).toEqual((await browser.get(discovery)).json())
    expect(own.json().issuer).toBe('http://portal.test/oidc')
  })

  test('say what is true', async () => {
    const browser = portal.browser()
    const document = (await browser.get(discovery)).json()
    expect(document).toMatchObject({
      claims_parameter_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      request_uri_parameter_supported: false,
    })
    // No client can be registered with another.
    expect(document.token_endpoint_auth_methods_supported.toSorted()).toEqual([...clientAuthentications].sort())
    const { pathname } = new URL(document.service_documentation)
    const docs = await browser.get(pathname)
    expect(docs.headers['content-type']).toContain('text/plain')
    expect(docs.body).toContain('http://portal.test/oidc/.well-known/openid-configuration')
  })

  test('the claims parameter gives what it asks for', async () => {
    const clientId = await services.register()
    const person = await portal.person({ firstName: 'Åsa', lastName: 'Öberg' })
    const browser = await portal.signedIn(person)
    const claims = JSON.stringify({ id_token: { email: { essential: true }, given_name: null } })
    const { url } = await browser.follow(await browser.get(services.requestFor(clientId, { scope: 'openid', claims })))
    const { id_token } = await services.tokensAt(clientId, url)
    const payload = decodeJwt(id_token)
    expect(payload).toMatchObject({ email: person.email, given_name: 'Åsa' })
    expect(payload).not.toHaveProperty('family_name')
  })

  test('may be kept for a while, and are not sent again while they are the same', async () => {
    const browser = portal.browser()
    for (const [path, seconds] of [
      [discovery, 300],
      ['/oidc/jwks', 120],
    ] as const) {
      const first = await browser.get(path)
      expect(first.headers['cache-control']).toBe(`public, max-age=${seconds}`)
      const etag = String(first.headers.etag)
      const again = await browser.get(path, { 'if-none-match': etag })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      expect((await browser.get(path, { 'if-none-match': '"another"' })).json()).toEqual(first.json())
    }
    expect((await browser.get('/oidc/jwks')).headers['content-type']).toContain('application/jwk-set+json')
    expect((await browser.get('/oidc/me')).headers['cache-control']).toBe('no-store')
  })

  test('the kept keys still verify every token while the signing key is rotated', async () => {
    const clientId = await services.register()
    const person = await portal.person()
    const { db, keys } = portal.system
    await rotateKeys({ db, masterKey: testMasterKey, purpose: 'oidcSigning', now: portal.now() })
    await keys.reload()
    const response = await portal.browser().get('/oidc/jwks')
    const kept = createLocalJWKSet(response.json())
    // As long as a service may keep them the old key signs; afterwards the new one, which was among them already.
    for (const seconds of [120, 300]) {
      portal.advance(seconds)
      await advanceKeyRotation({ db, keys, now: portal.now() })
      const { tokens } = await services.signInTo(clientId, person)
      await jwtVerify(tokens.id_token, kept, { audience: clientId })
    }
    expect(
      (await portal.browser().get('/oidc/jwks', { 'if-none-match': String(response.headers.etag) })).statusCode,
    ).toBe(200)
  })
})

describe('a request that is refused names the cause', () => {
  test('on the page, in the log with the client and the reason, and not the query of an address', async () => {
    const clientId = await services.register()
    const wrong = services.requestFor(clientId, { redirect_uri: 'https://journal.example/other?secret=1' })
    const response = await portal.browser().get(wrong, { ...page, 'accept-language': 'fi' })
    expect(response.statusCode).toBe(400)
    expect(response.body).toContain('lang="fi"')
    expect(response.body).toContain('invalid_redirect_uri: redirect_uri did not match any of the client')
    const line = portal.logged.find(
      ({ endpoint, clientId: client }) => endpoint === 'authorization' && client === clientId,
    )
    expect(line).toMatchObject({
      msg: 'a request of a service was refused',
      error: 'invalid_redirect_uri',
      reason: expect.stringContaining('did not match'),
      redirectUri: 'https://journal.example/other',
    })
  })

  test('also for a client that does not exist, without its text becoming part of the page', async () => {
    const response = await portal.browser().get(services.requestFor('<script>alert(1)</script>'), page)
    expect(response.statusCode).toBe(400)
    expect(response.body).toContain('invalid_client: client is invalid')
    expect(response.body).not.toContain('<script>alert')
  })

  test('and to the log alone where the answer must not tell: a wrong code verifier', async () => {
    const clientId = await services.register()
    const person = await portal.person()
    const browser = await portal.signedIn(person)
    const { url } = await browser.follow(
      await browser.get(services.requestFor(clientId, { code_challenge: 'x'.repeat(43) })),
    )
    expect(url).toContain(callback)
    expect(await services.tokensAt(clientId, url)).toMatchObject({ error: 'invalid_grant' })
    const line = portal.logged.find(({ endpoint, clientId: client }) => endpoint === 'token' && client === clientId)
    expect(line).toMatchObject({ error: 'invalid_grant', detail: expect.stringContaining('code_challenge') })
  })
})

describe('a refused request of a service is an event', () => {
  const eventsOf = async (client: string) => {
    const rows = await portal.system.db
      .selectFrom('auditEvents')
      .select(['target', 'targetId', 'actor', 'changes'])
      .where('name', '=', 'serviceRequestRefused')
      .orderBy('id')
      .execute()
    const told = rows.map(({ changes, ...rest }) => {
      const values = (changes as { property: string; newValue: string }[]).map((one) => [one.property, one.newValue])
      return { ...rest, ...Object.fromEntries(values) }
    })
    return told.filter((one) => one.client === client)
  }

  test('with client and reason, once an hour for a client and an error, from wherever it comes', async () => {
    const { serviceId } = await portal.service('Journal')
    const clientId = await services.register({ serviceId })
    const wrongAddress = services.requestFor(clientId, { redirect_uri: 'https://journal.example/other' })
    const flood = Array.from({ length: 30 }, () => portal.browser().get(wrongAddress, page))
    expect(new Set((await Promise.all(flood)).map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
    expect(await eventsOf(clientId)).toMatchObject([
      {
        target: 'Journal',
        targetId: serviceId,
        actor: null,
        endpoint: 'authorization',
        error: 'invalid_redirect_uri',
        reason: expect.stringContaining('did not match'),
      },
    ])
    const browser = portal.browser()
    // Another error: at the redirect address, and of a wrong secret.
    await browser.get(services.requestFor(clientId, { scope: 'openid personal_identity_number' }), page)
    await browser.submit('/oidc/token', { client_id: clientId, client_secret: 'wrong', grant_type: 'refresh_token' })
    expect((await eventsOf(clientId)).map(({ error, endpoint }) => [error, endpoint]).slice(1)).toEqual([
      ['invalid_scope', 'authorization'],
      ['invalid_client', 'token'],
    ])
    portal.advance(3601)
    await portal.browser().get(wrongAddress, page)
    expect(await eventsOf(clientId)).toHaveLength(4)
  })

  test('but not where a service that works gets an answer: nobody is signed in, a code is used', async () => {
    const clientId = await services.register()
    const { headers } = await portal.browser().get(services.requestFor(clientId, { prompt: 'none' }))
    expect(headers.location).toContain('error=login_required')
    await services.tokensAt(clientId, `${callback}?code=used`)
    expect(await eventsOf(clientId)).toEqual([])
  })

  test('once an hour for all clients that do not exist, and a failed event does not change the answer', async () => {
    portal.advance(3601)
    for (const name of ['first', 'second', 'third\u0000\ud800'])
      expect((await portal.browser().get(services.requestFor(name), page)).statusCode).toBe(400)
    expect(await eventsOf('first')).toMatchObject([{ target: 'first', targetId: null, error: 'invalid_client' }])
    expect(await eventsOf('second')).toEqual([])
    portal.advance(3601)
    expect((await portal.browser().get(services.requestFor('third\u0000\ud800'), page)).statusCode).toBe(400)
  })
})

test('an answer that a form posts to the service: in the language of the page, and nothing else may run or be posted', async () => {
  const clientId = await services.register()
  const browser = await portal.signedIn(await portal.person())
  const request = new URLSearchParams(
    services.parametersFor(clientId, { response_mode: 'form_post', ui_locales: 'fi' }),
  )
  const answer = await browser.get(`/oidc/auth?${request}`, page)
  expect(answer.statusCode).toBe(200)
  const { body } = answer
  expect(body).toContain('<html lang="fi">')
  expect(body).toContain('Jatka</button>')
  expect(body).toContain(`<form method="post" action="${callback}">`)
  const fields = Object.fromEntries(
    [...body.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  expect(fields).toMatchObject({ iss: expect.any(String), state: expect.any(String) })
  expect((await services.tokensAt(clientId, `${callback}?${new URLSearchParams(fields)}`)).id_token).toBeTruthy()
  const policy = String(answer.headers['content-security-policy'])
  for (const kind of ['script', 'style']) {
    const [, content = ''] = new RegExp(`<${kind}>(.*?)</${kind}>`, 's').exec(body) ?? []
    const allowed = new RegExp(`${kind}-src ([^;]*)`).exec(policy)?.[1]
    expect(allowed).toContain(`'sha256-${hash('sha256', content, 'base64')}'`)
    expect(allowed).not.toContain('unsafe')
  }
  expect(policy).toMatch(/form-action 'self' https:\/\/journal\.example/)
})
