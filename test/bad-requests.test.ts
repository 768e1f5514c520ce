import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from './test-app.ts'

let portal: TestApp
let port: number

beforeAll(async () => {
  portal = await testApp({ LIMIT_CLIENT_ERRORS: '100000/60' })
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

/** Nothing of how the portal is made. */
const inside = /node_modules|\.ts\b|\bat .+:\d+|select |insert |postgres|ECONN|\/work|\/home|\/root/i

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

/** Bytes as they are, past every client that would tidy them up; the answer until the server closes. */
const raw = (bytes: string | Buffer) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer in 10 s')))
    socket.on('data', (data) => {
      answer += data
    })
    // The server may close while it is still being written to.
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

  test('is refused whatever a proxy is said to have forwarded', async () => {
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

  test('is answered where load balancers and scrapers ask by address', async () => {
    expect((await inject('GET', '/health/live', { host: '10.0.0.7:3000' })).statusCode).toBe(200)
    expect((await inject('GET', '/metrics', { host: '10.0.0.7:3000' })).statusCode).toBe(200)
  })

  test('in capitals is a request for this one', async () => {
    expect((await inject('GET', '/api/portal', { host: 'Portal.TEST' })).statusCode).toBe(200)
  })

  test('is no request when there is no host, and none by naming it in the address', async () => {
    expect(statusOf(await raw('GET /api/portal HTTP/1.1\r\n\r\n'))).toBe(400)
    expect(
      statusOf(
        await raw('GET http://evil.example/api/portal HTTP/1.1\r\nhost: portal.test\r\nconnection: close\r\n\r\n'),
      ),
    ).toBeGreaterThanOrEqual(400)
  })
})

describe('an unsafe request from elsewhere', () => {
  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a sister site', { 'sec-fetch-site': 'same-site' }],
    ['of nobody', { 'sec-fetch-site': 'none' }],
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
  ])('%s, from a browser that does not tell the site, is refused', async (_, headers) => {
    const response = await portal.app.inject({
      method: 'POST',
      url: '/client-errors',
      headers: { host: 'portal.test', 'content-type': 'application/json', ...headers },
      payload: report,
    })
    expectProblem(response, 403, 'crossOrigin')
  })

  test('is let in by our origin alone', async () => {
    const headers = { host: 'portal.test', 'content-type': 'application/json', origin: 'http://portal.test' }
    expect(
      (await portal.app.inject({ method: 'POST', url: '/client-errors', headers, payload: report })).statusCode,
    ).toBe(204)
  })

  test('is refused wherever it goes, forms and provider included', async () => {
    const form = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
    for (const url of [
      '/logout',
      '/interaction/abc/login',
      '/oidc/auth',
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

  test('without a name is 415, and so is a packed one', async () => {
    const response = await portal.app.inject({
      method: 'POST',
      url: '/client-errors',
      headers: { ...sameOrigin },
      payload: Buffer.from(report),
    })
    expectProblem(response, 415, 'unsupportedType')
    expectProblem(await postReport({ 'content-encoding': 'gzip' }), 415, 'unsupportedType')
  })

  test('JSON where a form is taken is 415', async () => {
    expectProblem(await inject('POST', '/logout', { 'content-type': 'application/json' }, '{}'), 415, 'unsupportedType')
  })

  test('a form that is no UTF-8 is 400', async () => {
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

  test('a body of 10 MB that does not say how long it is, is 413 before it is over', async () => {
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
    ['cookie', `GET /api/me HTTP/1.1\r\nhost: portal.test\r\ncookie: session=${'x'.repeat(20_000)}\r\n\r\n`],
  ])('an %s of 20,000 characters is 431, in the shape of every failure', async (_, request) => {
    const answer = await raw(request)
    expect(statusOf(answer)).toBe(431)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      message: 'tooLarge',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('a part of an address of 201 characters is a missing page', async () => {
    expectProblem(await inject('GET', `/api/users/${'a'.repeat(201)}/organizations`), 404, 'notFound')
  })
})

describe('a request that is none', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a length that is no number', 'POST /logout HTTP/1.1\r\nhost: portal.test\r\ncontent-length: many\r\n\r\n'],
    ['two lengths', 'POST /logout HTTP/1.1\r\nhost: portal.test\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /logout HTTP/1.1\r\nhost: portal.test\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nhost: portal.test\r\nx: a\u0000b\r\n\r\n'],
    ['a method that nobody knows', 'BREW / HTTP/1.1\r\nhost: portal.test\r\n\r\n'],
  ])('%s is 400 and the end of the connection', async (_, request) => {
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

  test('an unknown address is 404 whatever is sent there', async () => {
    for (const type of ['application/json', 'text/xml'])
      expectProblem(await inject('POST', '/api/nowhere', { 'content-type': type }, '<a/>'), 404, 'notFound')
    expectProblem(await inject('GET', '/api/nowhere'), 404, 'notFound')
  })
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

describe('cookies that we did not give', () => {
  test.each([
    ['a session without a signature', 'session=abcdefgh'],
    ['a session with a made-up signature', 'session=abcdefgh; session.sig=abcdefgh'],
    ['half of everything', 'session=; session.sig='],
    ['bytes', 'session=%00%ff; session.sig=%E0%A4%A'],
    ['no cookies at all', ';;;==;'],
    ['the prototype', '__proto__=1; constructor=2; session.sig=3'],
  ])('%s is nobody', async (_, cookie) => {
    expectProblem(await inject('GET', '/api/me', { cookie }), 401, 'signInRequired')
    expect((await inject('GET', '/api/session-expire', { cookie })).json()).toEqual({ secondsToLive: 0 })
  })

  test("a session with another session's signature is nobody", async () => {
    const [one, other] = [await portal.signedIn(await portal.person()), await portal.signedIn(await portal.person())]
    const mixed = `session=${one.cookies().session}; session.sig=${other.cookies()['session.sig']}`
    expectProblem(await inject('GET', '/api/me', { cookie: mixed }), 401, 'signInRequired')
  })
})

test('a page is answered with a page, and the same headers', async () => {
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
