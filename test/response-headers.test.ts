import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Client } from './client.ts'
import { fieldsOf, isText, nameOf, sampleWith } from './contract-fields.ts'
import { declaredRoutes, sendSample } from './declared-routes.ts'
import { headerBytes } from './response-size.ts'
import { callback, secret, servicesOf, signedOut } from './service.ts'
import { openSignIn, submitPassword } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld, type World } from './world.ts'

vi.setConfig({ testTimeout: 300_000 })

// nginx, as it is without further settings, has a buffer of this size for the headers of a response. Those that do not fit
// are a failure of the node for it.
const most = 4096

let portal: TestApp
let world: World
let services: ReturnType<typeof servicesOf>
beforeAll(async () => {
  portal = await testApp({ ...unlimited, LOG_LEVEL: 'error' })
  world = await buildWorld(portal)
  services = servicesOf(portal)
})
afterAll(() => portal?.close())

/** What a header carries as it is, in three signs each, and in nine. */
const signs = ['a', '%', '\u20ac', '/?&=#']
const long = (length: number, sign = 'a') => sign.repeat(Math.ceil(length / sign.length)).slice(0, length)

function expectShort(response: LightMyRequestResponse, what: string): void {
  expect(headerBytes(response), what).toBeLessThan(most)
  expect(response.statusCode, `${what}: ${response.body}`).toBeLessThan(500)
}

/** Where a response leads, in a header or, where that would be too long, in its page. */
const leadsTo = ({ headers, body }: LightMyRequestResponse): string | undefined =>
  headers.location ??
  /<meta http-equiv="refresh" content="0;url=([^"]*)"/
    .exec(body)?.[1]
    ?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** Follows it as a browser does. @returns every response */
async function walk(browser: Client, url: string): Promise<LightMyRequestResponse[]> {
  const responses: LightMyRequestResponse[] = []
  for (let next: string | undefined = url; next && responses.length < 12; ) {
    const response: LightMyRequestResponse = await browser.get(next, { accept: 'text/html' })
    responses.push(response)
    const target = leadsTo(response)
    const address = target === undefined ? undefined : new URL(target, 'http://portal.test')
    next = address?.host === 'portal.test' ? address.pathname + address.search : undefined
  }
  return responses
}

test('no field of any call, as long as it may be, makes the headers of the answer longer than 4 KB', async () => {
  const signedIn = async () => portal.signedIn(await portal.person({ superUser: true }))
  let root = await signedIn()
  let [longest, sent] = [0, 0]
  for (const declared of declaredRoutes(portal))
    for (const field of fieldsOf(declared).filter(isText))
      for (const sign of signs) {
        const { maxLength = 2000 } = field.schema as { maxLength?: number }
        const room = field.in === 'body' ? 10_000 : 12_000 / encodeURIComponent(sign).length
        const value = long(Math.max(1, Math.floor(Math.min(maxLength, field.in === 'params' ? 60 : room))), sign)
        const by = declared.route.access === 'public' ? portal.browser() : root
        const response = await sendSample(by, declared.route, sampleWith(field, world.target('user', 'own'), value))
        // Wrong passwords end a session.
        if (by === root && (await root.get('/api/me')).statusCode === 401) root = await signedIn()
        expectShort(response, `${nameOf(field)} = ${sign}…`)
        longest = Math.max(longest, headerBytes(response))
        sent++
      }
  console.log(`${sent} requests, at most ${longest} bytes of headers`)
})

describe('what a service sends', () => {
  const parameters = [
    ...['state', 'nonce', 'login_hint', 'ui_locales', 'claims', 'scope', 'acr_values', 'id_token_hint', 'redirect_uri'],
    ...['prompt', 'display', 'response_type', 'response_mode', 'organization_id', 'request', 'request_uri', 'x'],
  ]

  test.each(signs.slice(2))(
    'with a parameter of %s that is as long as a request can be: nothing fails',
    async (sign) => {
      const clientId = await services.register()
      const browsers = [portal.browser(), await portal.signedIn(await portal.person())]
      for (const name of parameters)
        for (const length of [1900, 3900, 14_000]) {
          const value = long(Math.floor(Math.min(length, 14_000 / encodeURIComponent(sign).length)), sign)
          for (const client_id of [clientId, 'portal'])
            for (const browser of browsers) {
              const asked = [
                `/oidc/auth?${new URLSearchParams({ client_id, [name]: value })}`,
                services.requestFor(client_id, { [name]: value }),
                `/oidc/session/end?${new URLSearchParams({ client_id, post_logout_redirect_uri: signedOut, [name]: value })}`,
              ]
              for (const url of asked)
                for (const response of await walk(browser, url)) expectShort(response, url.slice(0, 100))
            }
          const posted = await portal
            .browser()
            .submit('/oidc/auth', services.parametersFor(clientId, { [name]: value }))
          expectShort(posted, `posted ${name}`)
        }
    },
  )

  test('with a parameter that is too long: an error on our own page, pushed or not', async () => {
    const clientId = await services.register()
    // What is wrong for another reason, too, may be told to the service.
    for (const name of ['nonce', 'login_hint', 'ui_locales', 'acr_values']) {
      const value = long(8001)
      const answer = await portal
        .browser()
        .get(services.requestFor(clientId, { [name]: value }), { accept: 'text/html' })
      expect([name, answer.statusCode, answer.headers.location]).toEqual([name, 400, undefined])
    }
    const tooLong = { nonce: long(2001) }
    const shown = await portal.browser().get(services.requestFor(clientId, tooLong), { accept: 'application/json' })
    expect(shown.json()).toMatchObject({
      error: 'invalid_request',
      error_description: 'nonce is longer than 2000 characters',
    })
    const pushed = await portal.app.inject({
      method: 'POST',
      url: '/oidc/request',
      headers: {
        host: 'portal.test',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      },
      payload: `${new URLSearchParams(services.parametersFor(clientId, tooLong))}`,
    })
    expect([pushed.statusCode, pushed.json().error]).toEqual([400, 'invalid_request'])
  })

  test.each([
    ['that a framework makes', long(1500)],
    ['that is encoded threefold', long(450, '%')],
    ['as long as a request can be', long(12_000)],
  ])('a state %s comes back whole, from the page where the person signs in', async (_, state) => {
    const clientId = await services.register()
    const person = await portal.person()
    const browser = portal.browser()
    const { page } = await openSignIn(browser, services.requestFor(clientId, { state, login_hint: person.email }))
    const first = await submitPassword(browser, page, person.email)
    const responses = [first, ...(await walk(browser, String(leadsTo(first))))]
    for (const response of responses) expectShort(response, 'a step of the sign-in')
    const last = responses.at(-1)
    const end = new URL(String(last && leadsTo(last)))
    expect(end.href).toContain(`${callback}?`)
    expect(end.searchParams.get('state')).toBe(state)
    // The usual ones by an ordinary redirect.
    if (encodeURIComponent(state).length <= 1500) expect(last?.headers.location).toBe(end.href)
  })

  test('a sign-out carries its state, up to what a cookie can hold', async () => {
    const clientId = await services.register({ frontchannelLogoutUri: 'https://journal.example/leave' })
    const { browser, tokens } = await services.signInTo(clientId, await portal.person())
    const end = (state: string) =>
      `/oidc/session/end?${new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: signedOut, state })}`
    const tooLong = await browser.get(end(long(1300)), { accept: 'text/html' })
    expectShort(tooLong, 'too long')
    expect(tooLong.statusCode).toBe(400)
    const state = long(1200)
    const responses = await walk(browser, end(state))
    for (const response of responses) expectShort(response, 'a step of the sign-out')
    // The frames of the service come first.
    expect(responses.at(-1)?.headers.refresh).toBe(`3;url=${signedOut}?state=${state}`)
  })
})

test('a long address of our own leads on, whole, and to no other host', async () => {
  const path = `/nowhere?${long(6000)}`
  for (const url of [path.replace('?', '/?'), `/login?returnTo=${encodeURIComponent(`/a?${long(3900, '%')}`)}`]) {
    const [response] = await walk(portal.browser(), url)
    expectShort(response as LightMyRequestResponse, url.slice(0, 40))
  }
  const moved = await portal.browser().get(path.replace('?', '/?'), { accept: 'text/html' })
  expect([moved.statusCode, moved.headers.location, leadsTo(moved)]).toEqual([200, undefined, path])
})
