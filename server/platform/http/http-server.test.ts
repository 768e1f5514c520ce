import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { route } from '#contract/route.ts'
import { readConfig } from '#server/config.ts'
import { createLog } from '../log.ts'
import { createHttpServer, requestTimeouts } from './http-server.ts'

let app: FastifyInstance
let port = 0
let handled = 0

// Only its declaration matters here: what the server does before and around a call.
const declared = route('POST /api/echo', {
  summary: '',
  access: 'public',
  input: z.strictObject({}),
  answer: 'nothing',
  audit: 'none',
})

beforeAll(async () => {
  app = await createHttpServer({
    config: readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off' }),
    logger: createLog('silent'),
    renderProblemPage: (_, status, key) => `<h1>${status} ${key}</h1>`,
    requestTimeout: 400,
  })
  app.post('/api/echo', { config: { route: declared } }, async () => {
    handled++
    return {}
  })
  app.post('/form', async () => '')
  app.get('/broken', async () => {
    throw new Error('select * from users at /srv/portal/server/x.ts')
  })
  app.get('/unsendable', async (_, reply) => reply.setCookie('a', 'b').header('location', '/日本').code(303).send())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => app?.close())

/** Sends the start of a request. @returns what the server sends before it closes the connection */
const begin = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

const ownHeaders = [
  "content-security-policy: default-src 'none'",
  'x-content-type-options: nosniff',
  'cache-control: no-store',
  'referrer-policy: no-referrer',
  'x-request-id: ',
]

test.each([
  ['nonsense', 400, 'hello\r\n\r\n'],
  ['a head that is too large', 431, `GET / HTTP/1.1\r\nhost: portal.test\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a head that never ends', 408, 'GET / HTTP/1.1\r\nhost: portal.test\r\nx-slow: '],
  ['an expectation', 417, 'GET / HTTP/1.1\r\nhost: portal.test\r\nexpect: tea\r\nconnection: close\r\n\r\n'],
  ['no host', 400, 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['two hosts', 400, 'GET / HTTP/1.1\r\nhost: portal.test\r\nHost: evil.example\r\nconnection: close\r\n\r\n'],
  ['our host twice', 400, 'GET / HTTP/1.1\r\nhost: portal.test\r\nhost: portal.test\r\nconnection: close\r\n\r\n'],
])('a request with %s is answered in the shape and with the headers of every failure', async (_, status, bytes) => {
  const answer = await begin(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  for (const header of ownHeaders) expect(answer.toLowerCase()).toContain(`\r\n${header}`)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ requestId: expect.any(String) })
})

const browsers = 'accept: text/html,application/xhtml+xml\r\naccept-language: fr-FR,fr;q=0.9\r\n'
test.each([
  [
    'too many cookies',
    431,
    'headersTooLarge',
    `GET / HTTP/1.1\r\nhost: portal.test\r\n${browsers}cookie: a=${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  ['nonsense', 400, 'malformedRequest', `GET /\u0001 HTTP/1.1\r\nhost: portal.test\r\n${browsers}\r\n`],
  [
    'an address that nothing decodes',
    400,
    'malformedRequest',
    `GET /%E0%A4%A HTTP/1.1\r\nhost: portal.test\r\n${browsers}connection: close\r\n\r\n`,
  ],
  ['another host', 421, 'unknownHost', `GET / HTTP/1.1\r\nhost: other.test\r\n${browsers}connection: close\r\n\r\n`],
  [
    'a body that is too large',
    413,
    'tooLarge',
    `POST /form HTTP/1.1\r\nhost: portal.test\r\nsec-fetch-site: same-origin\r\n${browsers}content-type: application/x-www-form-urlencoded\r\nconnection: close\r\ncontent-length: 900000\r\n\r\n`,
  ],
  [
    'a page that does not exist',
    404,
    'notFound',
    `GET /nowhere HTTP/1.1\r\nhost: portal.test\r\n${browsers}connection: close\r\n\r\n`,
  ],
])('a browser with %s gets a page', async (_, status, key, bytes) => {
  const answer = await begin(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  for (const header of ownHeaders) expect(answer.toLowerCase()).toContain(`\r\n${header}`)
  expect(answer.toLowerCase()).toContain('content-type: text/html; charset=utf-8')
  expect(answer).toContain(`<h1>${status} ${key}</h1>`)
})

test('a mailed link with a slash at its end leads to the page, never to another host; the API knows no such address', async () => {
  const open = (url: string, accept = 'text/html') => app.inject({ url, headers: { host: 'portal.test', accept } })
  const link = await open('/reset-password/the-token/?a=/b/')
  expect([link.statusCode, link.headers.location]).toEqual([303, '/reset-password/the-token?a=/b/'])
  expect((await open('/login//')).headers.location).toBe('/login')
  for (const url of ['//evil.example/', '/\\evil.example/', '/', '/?a=/']) {
    const { headers } = await open(url)
    expect(headers.location, url).toBeUndefined()
  }
  expect((await open('/api/me/', 'application/json')).statusCode).toBe(404)
})

test('a slow sender is disconnected within fifteen seconds', async () => {
  const { headers, whole, lookEvery } = requestTimeouts
  expect(Math.max(headers, whole) + lookEvery).toBeLessThanOrEqual(15_000)
  const server = await createHttpServer({
    config: readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off' }),
    logger: createLog('silent'),
    renderProblemPage: () => '',
  })
  expect([server.server.headersTimeout, server.server.requestTimeout]).toEqual([headers, whole])
  await server.close()
})

test('a body that never ends is cut off with 408, in the usual problem format', async () => {
  const answer = await begin(
    'POST /api/echo HTTP/1.1\r\nhost: portal.test\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    message: 'malformedRequest',
    requestId: expect.any(String),
  })
  expect(handled).toBe(0)
})

test('headers that never end are cut off with 408', async () => {
  expect(await begin('POST /api/echo HTTP/1.1\r\nhost: portal.test\r\nx-slow: ')).toMatch(/^HTTP\/1\.1 408 /)
})

test('a bug returns a page to a browser and a problem to a script, without details', async () => {
  const headers = { host: 'portal.test' }
  const page = await app.inject({
    url: '/broken',
    headers: { ...headers, accept: 'text/html', 'sec-fetch-dest': 'document' },
  })
  expect([page.statusCode, page.body]).toEqual([500, '<h1>500 genericErrorMessage</h1>'])
  const problem = await app.inject({
    url: '/broken',
    headers: { ...headers, accept: 'text/html', 'sec-fetch-dest': 'empty' },
  })
  expect(problem.statusCode).toBe(500)
  expect(problem.json()).toEqual({ message: 'genericErrorMessage', requestId: problem.headers['x-request-id'] })
})

test.each([
  ['another host', { host: 'portal.test.evil.example' }],
  ['another port', { host: 'portal.test:8080' }],
  ['another host from a proxy that is not trusted', { host: 'evil.example', 'x-forwarded-host': 'portal.test' }],
])('a request for %s gets nothing', async (_, headers) => {
  const before = handled
  const answer = await app.inject({ method: 'POST', url: '/api/echo', headers, payload: {} })
  expect([answer.statusCode, answer.json().message, handled]).toEqual([421, 'unknownHost', before])
})

test('a header that cannot be sent is an error like any other, and the answer is discarded', async () => {
  const answer = await begin('GET /unsendable HTTP/1.1\r\nhost: portal.test\r\nconnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 500 /)
  expect(answer).not.toMatch(/^(set-cookie|location):/im)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    message: 'genericErrorMessage',
    requestId: expect.any(String),
  })
})

test.each([
  ['on', 'max-age=63072000; includeSubDomains'],
  ['off', 'max-age=63072000'],
])('production sends Strict-Transport-Security; for subdomains, too: %s', async (subdomains, expected) => {
  const key = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
  const config = readConfig({
    NODE_ENV: 'production',
    BASE_URL: 'https://portal.nordvik.example',
    MASTER_KEY: key,
    DATABASE_URL: 'postgres://app@db.nordvik.example/vestibule',
    SMTP_URL: 'smtp://mail.nordvik.example',
    HSTS_INCLUDE_SUBDOMAINS: subdomains,
  })
  const production = await createHttpServer({ config, logger: createLog('silent'), renderProblemPage: () => '' })
  const { headers } = await production.inject({ url: '/x', headers: { host: 'portal.nordvik.example' } })
  expect(headers['strict-transport-security']).toBe(expected)
  await production.close()
})

test.each([
  ['nobody', undefined, '198.51.100.9', '203.0.113.5', '198.51.100.9'],
  ['another machine', '10.0.0.0/8', '198.51.100.9', '203.0.113.5', '198.51.100.9'],
  ['this proxy', '10.0.0.0/8', '10.0.0.7', '203.0.113.5', '203.0.113.5'],
  ['this proxy, and the client lied to it', '10.0.0.0/8', '10.0.0.7', '192.0.2.1, 203.0.113.5', '203.0.113.5'],
  ['a chain of proxies', '10.0.0.0/8', '10.0.0.7', '203.0.113.5, 10.1.1.1', '203.0.113.5'],
])('where %s is trusted, the address of a request is the right one', async (_, trusted, peer, forwarded, wanted) => {
  const config = readConfig({
    BASE_URL: 'http://portal.test',
    DEMO: 'off',
    ...(trusted ? { TRUSTED_PROXIES: trusted } : {}),
  })
  const server = await createHttpServer({ config, logger: createLog('silent'), renderProblemPage: () => '' })
  server.get('/ip', async (request) => ({ ip: request.ip }))
  const headers = { host: 'portal.test', 'x-forwarded-for': forwarded }
  expect((await server.inject({ url: '/ip', headers, remoteAddress: peer })).json()).toEqual({ ip: wanted })
  await server.close()
})

test('X-Forwarded-For of a proxy that is not trusted is said once for each address, and for ten at most', async () => {
  const env = { BASE_URL: 'http://portal.test', DEMO: 'off', LOG_ADDRESSES: 'masked', TRUSTED_PROXIES: '10.0.0.0/8' }
  const lines: { level: string; address?: string; msg: string }[] = []
  const logger = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const server = await createHttpServer({ config: readConfig(env), logger, renderProblemPage: () => '' })
  const call = (remoteAddress: string, headers: Record<string, string> = { 'x-forwarded-for': '203.0.113.5' }) =>
    server.inject({ url: '/x', headers: { host: 'portal.test', ...headers }, remoteAddress })
  const warned = () => lines.filter(({ level, msg }) => level === 'warn' && msg.includes('TRUSTED_PROXIES'))
  await call('198.51.100.9', {})
  await call('10.0.0.7')
  expect(warned()).toEqual([])
  await call('198.51.100.9')
  await call('198.51.100.9')
  expect(warned().map(({ address }) => address)).toEqual(['198.51.100.0/24'])
  for (let host = 1; host < 30; host++) await call(`192.0.2.${host}`)
  expect(warned()).toHaveLength(10)
  await server.close()
})
