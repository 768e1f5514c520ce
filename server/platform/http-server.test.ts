import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { route } from '#contract/route.ts'
import { readConfig } from '#server/config.ts'
import { createHttpServer } from './http-server.ts'
import { createLog } from './log.ts'

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
  app.get('/broken', async () => {
    throw new Error('select * from users at /srv/portal/server/x.ts')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => app?.close())

/** Sends a beginning and nothing more; what the server says before it hangs up. */
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

test('a body that never ends is cut off with 408, in the shape of every failure', async () => {
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

test('a bug is a page for a browser and a problem for a script, and says nothing either way', async () => {
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

test('production says that it is to be reached by https alone', async () => {
  const key = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
  const config = readConfig({
    NODE_ENV: 'production',
    BASE_URL: 'https://portal.nordvik.example',
    MASTER_KEY: key,
    DATABASE_URL: 'postgres://app@db.nordvik.example/vestibule',
    SMTP_URL: 'smtp://mail.nordvik.example',
  })
  const production = await createHttpServer({ config, logger: createLog('silent'), renderProblemPage: () => '' })
  const { headers } = await production.inject({ url: '/x', headers: { host: 'portal.nordvik.example' } })
  expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
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
