import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sample } from './access-table.ts'
import { type Client, createClient } from './client.ts'
import {
  type Field,
  fieldsOf,
  isNumber,
  isText,
  nameOf,
  presentAt,
  sampleWith,
  settingsWith,
} from './contract-fields.ts'
import { declaredRoutes, sendSample } from './declared-routes.ts'
import { questionsOf } from './questions.ts'
import { tableDigests } from './table-digests.ts'
import { type TestApp, testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'
import { buildWorld, type World } from './world.ts'

let portal: TestApp
let port: number

beforeAll(async () => {
  portal = await testApp(unlimited)
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const address = portal.app.server.address()
  if (!address || typeof address === 'string') throw new Error('not listening')
  port = address.port
})
afterAll(() => portal?.close())

const sameOrigin = { host: 'portal.test', 'sec-fetch-site': 'same-origin' }
const report = JSON.stringify({ url: '/', error: 'Error: broken' })

const inject = (
  method: 'GET' | 'POST' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'TRACE',
  url: string,
  headers: Record<string, string> = {},
  payload?: string,
) =>
  portal.app.inject({
    method: method as 'GET',
    url,
    headers: { ...sameOrigin, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
const postReport = (headers: Record<string, string>, payload = report) =>
  inject('POST', '/client-errors', { 'content-type': 'application/json', ...headers }, payload)
type Response = Awaited<ReturnType<typeof inject>>

/** Checks that the response reveals nothing about the implementation. */
const folder = process.cwd().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const inside = new RegExp(
  String.raw`node_modules|\.ts\b|\bat .+:\d+|select |insert |postgres|ECONN|/home|/root|${folder}`,
  'i',
)

function expectProblem(response: Response, status: number, message: string): void {
  expect(response.statusCode, response.body).toBe(status)
  const { requestId, ...body } = response.json()
  expect(body.message).toBe(message)
  expect(requestId).toBe(response.headers['x-request-id'])
  expect(response.body).not.toMatch(inside)
  expectSafeHeaders(response)
}

function expectSafeHeaders({ headers }: Response): void {
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin']) expect(headers[name]).toBeUndefined()
}

/** Sends raw bytes over TCP. @returns the response until the server closes the connection */
const raw = (bytes: string | Buffer) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setTimeout(10_000, () => {
      reject(new Error('the connection was still open after 10 s'))
      socket.destroy()
    })
    socket.on('data', (data) => {
      answer += data
    })
    // The server may close the connection before everything is written.
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)))
    socket.on('close', () => resolve(answer))
    socket.write(bytes)
  })
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe('a request for another host', () => {
  test.each(['evil.example', 'portal.test.evil.example', 'portal.test:8080', '127.0.0.1', ''])(
    '%j is refused',
    async (host) => {
      for (const url of ['/', '/api/portal', '/oidc/.well-known/openid-configuration', '/login'])
        expectProblem(await inject('GET', url, { host }), 421, 'unknownHost')
    },
  )

  test('is refused also with forged X-Forwarded headers', async () => {
    expectProblem(
      await inject('GET', '/api/portal', { host: 'evil.example', 'x-forwarded-host': 'portal.test' }),
      421,
      'unknownHost',
    )
    const answer = await inject('GET', '/login', {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    })
    expect(JSON.stringify(answer.headers)).not.toContain('evil')
  })

  test('is accepted for health checks and metrics, which use the IP address', async () => {
    expect((await inject('GET', '/health/live', { host: '10.0.0.7:3000' })).statusCode).toBe(200)
    expect((await inject('GET', '/metrics', { host: '10.0.0.7:3000' })).statusCode).toBe(200)
  })

  test('in upper case is a request for this host', async () => {
    expect((await inject('GET', '/api/portal', { host: 'Portal.TEST' })).statusCode).toBe(200)
  })

  test('is invalid without a host header, also with an absolute address', async () => {
    expect(statusOf(await raw('GET /api/portal HTTP/1.1\r\nconnection: close\r\n\r\n'))).toBe(400)
    expect(
      statusOf(
        await raw('GET http://evil.example/api/portal HTTP/1.1\r\nhost: portal.test\r\nconnection: close\r\n\r\n'),
      ),
    ).toBeGreaterThanOrEqual(400)
  })
})

describe('an unsafe request from another site', () => {
  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a sister site', { 'sec-fetch-site': 'same-site' }],
    ['without an initiator', { 'sec-fetch-site': 'none' }],
    ['of another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'http://portal.test' }],
  ])('%s is refused', async (_, headers) => {
    expectProblem(await postReport(headers), 403, 'crossOrigin')
  })

  test.each([
    ['by another origin', { origin: 'http://evil.example' }],
    ['by the origin null', { origin: 'null' }],
    ['by our host on another scheme', { origin: 'https://portal.test' }],
    ['by a host that begins like ours', { origin: 'http://portal.test.evil.example' }],
    ['without saying where from', {}],
    ['with a referrer alone', { referer: 'http://portal.test/' }],
  ])('%s, from a browser without Sec-Fetch-Site, is refused', async (_, headers) => {
    const response = await portal.app.inject({
      method: 'POST',
      url: '/client-errors',
      headers: { host: 'portal.test', 'content-type': 'application/json', ...headers },
      payload: report,
    })
    expectProblem(response, 403, 'crossOrigin')
  })

  test('is accepted from our own origin only', async () => {
    const headers = { host: 'portal.test', 'content-type': 'application/json', origin: 'http://portal.test' }
    expect(
      (await portal.app.inject({ method: 'POST', url: '/client-errors', headers, payload: report })).statusCode,
    ).toBe(204)
  })

  test('is refused for every route, including forms and the OpenID provider', async () => {
    const form = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
    for (const url of [
      '/logout',
      '/interaction/abc/login',
      '/oidc/auth/abc',
      '/oidc/session/end/confirm',
      '/oidc/%74oken',
      '/nowhere',
    ])
      expectProblem(await inject('POST', url, form, 'a=b'), 403, 'crossOrigin')
  })
})

describe('a body of the wrong kind', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-7',
    'application/json, application/json',
    'application/jsonp',
    'application/merge-patch+json',
    'application/xml',
    'json',
    ' ',
  ])('%j is 415', async (type) => {
    expectProblem(await postReport({ 'content-type': type }), 415, 'unsupportedType')
  })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
  ])('%j is read', async (type) => {
    expect((await postReport({ 'content-type': type })).statusCode).toBe(204)
  })

  test('without a content type is 415, and so is a compressed one', async () => {
    const response = await portal.app.inject({
      method: 'POST',
      url: '/client-errors',
      headers: { ...sameOrigin },
      payload: Buffer.from(report),
    })
    expectProblem(response, 415, 'unsupportedType')
    expectProblem(await postReport({ 'content-encoding': 'gzip' }), 415, 'unsupportedType')
  })

  test('JSON instead of a form is 415', async () => {
    expectProblem(await inject('POST', '/logout', { 'content-type': 'application/json' }, '{}'), 415, 'unsupportedType')
  })

  test('a form with more than a thousand fields is 400, and one with a thousand is read', async () => {
    const headers = { ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' }
    const url = '/saml/1/acs'
    expectProblem(await inject('POST', url, headers, 'a=1&'.repeat(1000)), 400, 'malformedRequest')
    expect((await inject('POST', url, headers, `${'a=1&'.repeat(999)}b=1`)).statusCode).toBe(303)
  })

  test('a form with invalid UTF-8 is 400', async () => {
    const payload = Buffer.from([0x61, 0x3d, 0xff, 0xfe])
    const headers = { ...sameOrigin, 'content-type': 'application/x-www-form-urlencoded' }
    const response = await portal.app.inject({ method: 'POST', url: '/interaction/abc/login', headers, payload })
    expectProblem(response, 400, 'malformedRequest')
  })
})

describe('too much', () => {
  const megabytes = (count: number) =>
    JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(count * 1024 * 1024) })

  test('a body of 10 MB is 413', async () => {
    expectProblem(
      await inject('POST', '/api/verify-credentials', { 'content-type': 'application/json' }, megabytes(10)),
      413,
      'tooLarge',
    )
  })

  test('a chunked body of 10 MB is 413 before it is complete', async () => {
    const head =
      'POST /api/verify-credentials HTTP/1.1\r\nhost: portal.test\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n'
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    expect(statusOf(await raw(head + chunk.repeat(4)))).toBe(413)
  })

  test('a crash report over 16 KB is 413, one under is not', async () => {
    expectProblem(await postReport({}, JSON.stringify({ url: '/', error: 'x'.repeat(17_000) })), 413, 'tooLarge')
    expect(
      (
        await postReport(
          {},
          JSON.stringify({ url: '/', error: 'x', stack: 'x'.repeat(7900), componentStack: 'x'.repeat(7900) }),
        )
      ).statusCode,
    ).toBe(204)
  })

  test.each([
    ['address', `GET /api/portal?x=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: portal.test\r\n\r\n`],
    ['header', `GET /api/portal HTTP/1.1\r\nhost: portal.test\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['cookie', `GET /api/me HTTP/1.1\r\nhost: portal.test\r\ncookie: portal_session=${'x'.repeat(20_000)}\r\n\r\n`],
  ])('an %s of 20,000 characters is 431, with the usual error body', async (_, request) => {
    const answer = await raw(request)
    expect(statusOf(answer)).toBe(431)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      message: 'headersTooLarge',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('a path segment of 201 characters is 404', async () => {
    expectProblem(await inject('GET', `/api/users/${'a'.repeat(201)}/organizations`), 404, 'notFound')
  })
})

describe('an invalid HTTP request', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a length that is no number', 'POST /logout HTTP/1.1\r\nhost: portal.test\r\ncontent-length: many\r\n\r\n'],
    ['two lengths', 'POST /logout HTTP/1.1\r\nhost: portal.test\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /logout HTTP/1.1\r\nhost: portal.test\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nhost: portal.test\r\nx: a\u0000b\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: portal.test\r\n\r\n'],
  ])('%s is 400 and closes the connection', async (_, request) => {
    const answer = await raw(request)
    expect(statusOf(answer)).toBe(400)
    expect(answer).not.toMatch(inside)
  })

  test.each(['/api/users/%E0%A4%A/organizations', '/api/%', '/%zz'])(
    'an address that cannot be decoded (%s) is 400',
    async (url) => {
      expectProblem(await inject('GET', url), 400, 'malformedRequest')
    },
  )

  test.each(['PATCH', 'OPTIONS', 'TRACE'] as const)(
    '%s is answered as unknown, and opens nothing to other origins',
    async (method) => {
      const response = await inject(method, '/api/me', {
        origin: 'http://evil.example',
        'access-control-request-method': 'PUT',
      })
      expect([404, 405]).toContain(response.statusCode)
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    },
  )

  test('HEAD has the headers of GET and no body', async () => {
    const [head, get] = [await inject('HEAD', '/api/portal'), await inject('GET', '/api/portal')]
    expect(head.body).toBe('')
    expect(head.statusCode).toBe(200)
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  test('an unknown address is 404 for every method and body', async () => {
    for (const type of ['application/json', 'text/xml'])
      expectProblem(await inject('POST', '/api/nowhere', { 'content-type': type }, '<a/>'), 404, 'notFound')
    expectProblem(await inject('GET', '/api/nowhere'), 404, 'notFound')
  })
})

describe('a value that no field accepts', () => {
  // Beyond the range of a column, beyond the safe integers of JavaScript, and not an integer.
  const numbers = [-1, 0, 0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308]
  const texts = ['\u0000', 'a\u0000b', '\ud800', '\udfff!', '\u202e', '', ' ', '%00', '2147483648', 'x'.repeat(5000)]

  let world: World
  let root: Client
  const fields = () => declaredRoutes(portal).flatMap(fieldsOf)
  beforeAll(async () => {
    world = await buildWorld(portal)
    await enter()
  })
  /** A super user's browser, which also sends the token of a service: calls of machines are reached, too. */
  async function enter() {
    const { serviceId } = await portal.service()
    const authorization = `Bearer ${await questionsOf(portal).tokenOf(serviceId)}`
    root = createClient(portal.app, portal.system.config.baseUrl, { authorization })
    const session = (await portal.signedIn(world.people.superUser)).cookies()
    for (const [name, value] of Object.entries(session)) root.setCookie(name, value)
  }

  const colleague = () => world.target('superUser', 'same')
  /** The names of fields for which such a request caused a server error. */
  const failures = async (signal: AbortSignal, requests: (field: Field) => { value: unknown; sample: Sample }[]) => {
    const failed: string[] = []
    for (const field of fields())
      for (const { value, sample } of requests(field)) {
        // Out of time, it must not go on: it would write while the next test compares the database.
        signal.throwIfAborted()
        const { route } = field.declared
        let response = await sendSample(root, route, sample)
        if (response.statusCode === 401 && route.access !== 'public') {
          // Too many wrong passwords ended the session.
          await enter()
          response = await sendSample(root, route, sample)
        }
        if (response.statusCode >= 500) failed.push(`${nameOf(field)} = ${JSON.stringify(value).slice(0, 60)}`)
      }
    return failed
  }

  test('is refused, and never fails: every number of every call at the limits of its column', async ({ signal }) => {
    const requests = (field: Field) =>
      isNumber(field)
        ? numbers.flatMap((value) => settingsWith(field, colleague(), value).map((sample) => ({ value, sample })))
        : []
    expect(await failures(signal, requests)).toEqual([])
  })

  test('is refused, and never fails: every text of every call', async ({ signal }) => {
    const requests = (field: Field) => {
      const present = presentAt(field, colleague()) ?? 'http://x'
      // Alone, and in an otherwise valid text.
      const values = [...texts, `${present}\u0000`, `${present}/\ud800`]
      return isText(field) ? values.map((value) => ({ value, sample: sampleWith(field, colleague(), value) })) : []
    }
    expect(await failures(signal, requests)).toEqual([])
  }, 180_000)

  test('never fails, and writes nothing where it is refused: a random value in every field of every call', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.bigInt().map(String),
      fc.uuid(),
      fc.anything(),
    )
    let before = await tableDigests(portal.system.pool)
    for (const field of fields())
      await fc.assert(
        fc.asyncProperty(value, async (given) => {
          const json = JSON.parse(JSON.stringify(given) ?? 'null')
          const sample = sampleWith(field, colleague(), json)
          const { statusCode, body } = await sendSample(root, field.declared.route, sample)
          expect(statusCode, `${nameOf(field)}: ${body}`).toBeLessThan(500)
          if (statusCode === 401) await enter()
          const [earlier, after] = [before, await tableDigests(portal.system.pool)]
          before = after
          // A wrong password or code is an event, and uses up an attempt.
          if (statusCode >= 400 && statusCode !== 401 && field.declared.route.access !== 'public')
            expect(after, `${nameOf(field)}: ${statusCode} ${body}`).toEqual(earlier)
        }),
        { numRuns: 1 },
      )
  }, 180_000)
})

describe('files', () => {
  test.each([
    '/assets/../../../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%00',
    '/assets/',
    '/assets',
    '/assets/.hidden',
    '/.vite/manifest.json',
    '/.env',
    '/package.json',
    '/app.html',
    '/sign-in.html',
    '/prerendered/sign-in.sv.html',
    '/locales/../package.json',
    '/locales/de/translation.json',
    '/locales/sv/../../package.json',
    '//evil.example/',
  ])('%s is no file of ours', async (url) => {
    const answer = await raw(`GET ${url} HTTP/1.1\r\nhost: portal.test\r\nconnection: close\r\n\r\n`)
    expect([400, 404]).toContain(statusOf(answer))
    expect(answer).not.toMatch(/"dependencies"|<div id="root"|location:/i)
  })
})

describe('forged cookies', () => {
  test.each([
    ['a session without a signature', 'portal_session=abcdefgh'],
    ['a session with a made-up signature', 'portal_session=abcdefgh; portal_session.sig=abcdefgh'],
    ['half of everything', 'portal_session=; portal_session.sig='],
    ['bytes', 'portal_session=%00%ff; portal_session.sig=%E0%A4%A'],
    ['no cookies at all', ';;;==;'],
    ['the prototype', '__proto__=1; constructor=2; portal_session.sig=3'],
  ])('%s does not sign in', async (_, cookie) => {
    expectProblem(await inject('GET', '/api/me', { cookie }), 401, 'signInRequired')
    expect((await inject('GET', '/api/session-expire', { cookie })).json()).toEqual({ secondsToLive: 0 })
  })

  test("a session with another session's signature does not sign in", async () => {
    const [one, other] = [await portal.signedIn(await portal.person()), await portal.signedIn(await portal.person())]
    const mixed = `portal_session=${one.cookies().portal_session}; portal_session.sig=${other.cookies()['portal_session.sig']}`
    expectProblem(await inject('GET', '/api/me', { cookie: mixed }), 401, 'signInRequired')
  })
})

test('a failed navigation shows a page with the same headers', async () => {
  const response = await inject('GET', '/nowhere', {
    accept: 'text/html,application/xhtml+xml',
    'sec-fetch-dest': 'document',
    'accept-language': 'fi',
  })
  expect(response.statusCode).toBe(404)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.body).toContain('<html lang="fi"')
  expectSafeHeaders(response)
})
