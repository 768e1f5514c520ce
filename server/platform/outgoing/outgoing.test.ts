import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { guardedConnect } from './guarded-connect.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'

const certificate = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../simulators/bankid/certificates', name), 'utf8')
const ca = certificate('ca.pem')

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A server on this machine that counts what reaches it. */
async function listening(answer: RequestListener, server?: Server) {
  const hosts: string[] = []
  const listener = server ?? createServer()
  listener.on('request', (request, response) => {
    hosts.push(request.headers.host ?? '')
    answer(request, response)
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  open.push(() => {
    listener.closeAllConnections()
    return new Promise((done) => listener.close(done))
  })
  return { hosts, port: (listener.address() as AddressInfo).port }
}
const secure = (answer: RequestListener) =>
  listening(answer, createTlsServer({ cert: certificate('server.pem'), key: certificate('server-key.pem') }))

const lines: Record<string, unknown>[] = []
function outgoing(options: Partial<Parameters<typeof createOutgoing>[0]> = {}): Outgoing {
  const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const made = createOutgoing({ log, production: true, allow: [], ca, ...options })
  open.push(() => made.close())
  return made
}
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'reached',
    (error: { reason?: string }) => error.reason,
  )
const ok: RequestListener = (_, response) => response.end('hello')

const loopbackSpellings = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '127.0.0.1.', '0', 'localhost']

describe('an internal address is not called', () => {
  test.each(loopbackSpellings)('%s, which would reach a server on this machine', async (host) => {
    const { hosts, port } = await listening(ok)
    const unguarded = await request(`http://${host}:${port}/`)
    expect(await unguarded.body.text()).toBe('hello')
    const agent = new Agent({
      connect: guardedConnect({ rules: { production: true, allow: [] }, timeout: 3000, ca: undefined }),
    })
    open.push(() => agent.destroy())
    expect(await reasonOf(request(`http://${host}:${port}/`, { dispatcher: agent }))).toBe('internal')
    expect(await reasonOf(outgoing().call(`https://${host}/`, { use: 'jwks' }))).toBe('internal')
    expect(hosts).toHaveLength(1)
  })

  test.each([
    ...['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255'],
    ...['[::7f00:1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001::1]', '[fd00::1]', '[fe80::1]'],
    ...['[::]', '[ff02::1]', '0x7f000001', '0177.0.0.1', '127.1'],
  ])('%s', async (host) => {
    expect(await reasonOf(outgoing().call(`https://${host}/`, { use: 'jwks' }))).toBe('internal')
    expect(lines.at(-1)).toMatchObject({ reason: 'internal', use: 'jwks' })
  })

  test('when one of several addresses of a name is internal', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    expect(await reasonOf(outgoing({ resolve }).call('https://two.example/', { use: 'jwks' }))).toBe('internal')
  })

  test('when development allows its own machine and nothing else', async () => {
    const { port } = await listening(ok)
    const development = outgoing({ production: false })
    expect(await reasonOf(development.call(`http://127.0.0.1:${port}/`, { use: 'jwks' }))).toBe('reached')
    expect(await reasonOf(development.call(`http://localhost:${port}/`, { use: 'jwks' }))).toBe('reached')
    expect(await reasonOf(development.call(`http://0:${port}/`, { use: 'jwks' }))).toBe('internal')
    expect(await reasonOf(development.call('http://192.168.1.1/', { use: 'jwks' }))).toBe('internal')
  })
})

describe('a host that the operator allows', () => {
  test('is called with its own name in TLS, at the address that was checked', async () => {
    const { hosts, port } = await secure(ok)
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const allow = [`localhost:${port}`, `other.example:${port}`]
    const calls = outgoing({ allow, resolve })
    const { status, body } = await calls.call(`https://localhost:${port}/`, { use: 'discovery' })
    expect([status, body.toString()]).toEqual([200, 'hello'])
    expect(await reasonOf(calls.call(`https://other.example:${port}/`, { use: 'jwks' }))).toBe('certificate')
    expect(hosts).toEqual([`localhost:${port}`])
  })

  test('is asked for once: a second, different answer of DNS changes nothing', async () => {
    const { port } = await listening(ok)
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    // This name exists nowhere else.
    const call = outgoing({ production: false, resolve }).call(`http://pinned.invalid:${port}/`, { use: 'jwks' })
    expect(await reasonOf(call)).toBe('reached')
    expect(asked).toBe(1)
  })

  test('is allowed with its port alone', async () => {
    const { port } = await secure(ok)
    const calls = outgoing({ allow: ['localhost'] })
    expect(await reasonOf(calls.call(`https://localhost:${port}/`, { use: 'jwks' }))).toBe('port')
  })
})

describe('a call is refused', () => {
  test.each([
    ['http://example.com/', 'notHttps'],
    ['ftp://example.com/', 'notHttps'],
    ['no address', 'notHttps'],
    ['https://example.com:8443/', 'port'],
    ['https://name:word@example.com/', 'credentials'],
  ])('in production to %s', async (address, reason) => {
    expect(await reasonOf(outgoing().call(address, { use: 'jwks' }))).toBe(reason)
  })

  test('when the answer is a redirect, which is not followed', async () => {
    const { hosts: secret, port: internal } = await listening(ok)
    const { port } = await listening((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${internal}/` }).end(),
    )
    const calls = outgoing({ production: false })
    expect(await reasonOf(calls.call(`http://127.0.0.1:${port}/`, { use: 'metadata' }))).toBe('redirect')
    expect(secret).toEqual([])
  })

  test('when the answer is larger than its use allows, and a dropped one is not read', async () => {
    const { port } = await listening((_, response) => response.end(Buffer.alloc(65 * 1024)))
    const calls = outgoing({ production: false })
    const address = `http://127.0.0.1:${port}/`
    expect(await reasonOf(calls.call(address, { use: 'jwks' }))).toBe('tooLarge')
    expect((await calls.call(address, { use: 'metadata' })).body.length).toBe(65 * 1024)
    const dropped = await calls.call(address, { use: 'webhook', method: 'POST', body: '{}' })
    expect([dropped.status, dropped.body.length]).toEqual([200, 0])
  })

  test('when there is no answer in time, before or within it', async () => {
    const { port } = await listening((request, response) => {
      if (request.url === '/slow') response.write('a beginning')
    })
    const calls = outgoing({ production: false, timeout: 200 })
    expect(await reasonOf(calls.call(`http://127.0.0.1:${port}/`, { use: 'jwks' }))).toBe('timeout')
    expect(await reasonOf(calls.call(`http://127.0.0.1:${port}/slow`, { use: 'jwks' }))).toBe('timeout')
  })

  test('when DNS does not answer, or there is no such host, or no server', async () => {
    const silent = outgoing({ connectTimeout: 200, resolve: () => new Promise(() => {}) })
    expect(await reasonOf(silent.call('https://silent.example/', { use: 'jwks' }))).toBe('timeout')
    const calls = outgoing({ production: false })
    expect(await reasonOf(calls.call('http://host.invalid/', { use: 'jwks' }))).toBe('unknownHost')
    expect(await reasonOf(calls.call('http://127.0.0.1:1/', { use: 'jwks' }))).toBe('unreachable')
  })
})

test('calls go through an egress proxy, with literals checked here and allowed hosts called directly', async () => {
  const { port } = await secure(ok)
  const tunnels: string[] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
    open.push(() => socket.destroy())
  })
  const { port: proxyPort } = await listening(ok, proxy)
  const calls = outgoing({ proxy: `http://127.0.0.1:${proxyPort}`, allow: [`localhost:${port}`] })
  expect(await reasonOf(calls.call('https://localhost/', { use: 'jwks' }))).toBe('reached')
  expect(await reasonOf(calls.call('https://127.0.0.1/', { use: 'jwks' }))).toBe('internal')
  expect(await reasonOf(calls.call(`https://localhost:${port}/`, { use: 'jwks' }))).toBe('reached')
  expect(tunnels).toEqual(['localhost:443'])
})
