import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { inNginx, isInstalled, type ProxyName, type ReverseProxy, startProxy } from './proxies.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'
import { unlimited } from './watched-nodes.ts'

const timeout = 120_000
// Without a port: the samples are for the usual ones.
const baseUrl = 'http://portal.localhost'
const missing = (['haproxy', 'nginx'] as const).filter((name) => !isInstalled(name)).join(' and ')

if (process.env.CI && missing) throw new Error(`${missing} must be installed`)

const sample = (name: string) => readFileSync(join(import.meta.dirname, '../../deploy/proxy', name), 'utf8')

/** The samples as they stand in deploy/proxy, but for addresses and TLS. */
const samples: Record<ProxyName, (nodes: readonly string[]) => (port: number, folder: string) => string> = {
  nginx: (nodes) => (port, folder) => {
    const [upstream = '', , server = ''] = sample('nginx.conf').split(/^(?=server \{)/m)
    const plain = server.replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`).replaceAll(/^ *ssl_.*$/gm, '')
    return inNginx(folder, withNodes(upstream, nodes) + plain)
  },
  haproxy: (nodes) => (port) =>
    withNodes(sample('haproxy.cfg'), nodes)
      .replace('maxconn 20000', 'maxconn 200')
      .replace('bind :80\n', `bind 127.0.0.1:${port}\n`)
      .replace(/^ *bind :443.*$/m, '')
      .replace(/^.*redirect scheme.*$/m, ''),
}

function withNodes(text: string, nodes: readonly string[]): string {
  const placed = nodes.reduce((now, node, index) => now.replace(`10.0.0.1${index + 1}:3000`, node), text)
  expect(placed).not.toContain('10.0.0.1')
  return placed
}

const startSample = (name: ProxyName, nodes: readonly string[]) =>
  startProxy(name, nodes, { file: samples[name](nodes) })

const ask = async ({ url }: ReverseProxy, path: string) => {
  const answer = await request(url + path, { headers: { host: new URL(baseUrl).host, accept: 'text/html' } })
  await answer.body.dump()
  return answer.statusCode
}
/** The status of forty ordinary requests, one after the other. */
async function forty(proxy: ReverseProxy, path: string): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < 40; index++) statuses.push(await ask(proxy, path))
  return statuses
}

describe.skipIf(missing)(`long answers behind a proxy${missing && ` (not installed: ${missing})`}`, () => {
  const proxies: ReverseProxy[] = []
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
  })

  describe('of a portal of two nodes', () => {
    let database: TestDatabase
    let folder: ReturnType<typeof temporaryDataDir>
    const nodes: ServerProcess[] = []
    const addresses = () => nodes.map(({ url }) => new URL(url).host.replace('localhost', '127.0.0.1'))
    beforeAll(async () => {
      folder = temporaryDataDir()
      database = await createTestDatabase()
      for (const _ of [1, 2]) {
        const env = {
          DATABASE_URL: database.appUrl,
          DATABASE_OWNER_URL: database.ownerUrl,
          PORT: String(await freePort()),
          BASE_URL: baseUrl,
          LOG_LEVEL: 'error',
          ...unlimited,
        }
        const node = await startServerProcess({ dataDir: folder.dataDir, env })
        nodes.push(node)
        await node.ready
      }
    }, timeout)
    afterAll(async () => {
      for (const node of nodes) node.signal('SIGINT')
      await Promise.all(nodes.map(({ ended }) => ended))
      await database?.drop()
      folder?.remove()
    }, timeout)

    const attacks = [
      `/oidc/auth?client_id=portal&state=${'a'.repeat(3900)}`,
      `/oidc/auth?client_id=portal&response_type=none&scope=openid&state=${'a'.repeat(3900)}`,
      `/oidc/session/end?client_id=portal&state=${'a'.repeat(3900)}&ui_locales=${'a'.repeat(2000)}`,
      `/login?returnTo=/${'a'.repeat(3900)}`,
      `/login?email=${'%25'.repeat(2000)}`,
      `/login/?${'a'.repeat(6000)}`,
    ]

    // The first one has what nginx does by default: 4 KB, and one failure takes a node away.
    test.each([
      ['plain nginx', (at: string[]) => startProxy('nginx', at)],
      ['the sample for nginx', (at: string[]) => startSample('nginx', at)],
      ['the sample for HAProxy', (at: string[]) => startSample('haproxy', at)],
    ])('take nobody the sign-in away: %s', { timeout }, async (_, start) => {
      const proxy = await start(addresses())
      proxies.push(proxy)
      await expect.poll(() => ask(proxy, '/session-expired'), { timeout: 20_000 }).toBe(200)
      for (const path of attacks)
        for (let round = 0; round < 4; round++) expect(await ask(proxy, path), path.slice(0, 60)).toBeLessThan(500)
      expect(await forty(proxy, '/login')).toEqual(Array(40).fill(303))
      expect(await forty(proxy, '/session-expired')).toEqual(Array(40).fill(200))
    })
  })

  describe('that no proxy can use', () => {
    const broken: Server[] = []
    const addresses: string[] = []
    beforeAll(async () => {
      for (const _ of [1, 2]) {
        const port = await freePort()
        const server = createServer((request, response) => {
          if (request.url === '/cut') return response.socket?.destroy()
          if (request.url === '/long') response.setHeader('x-long', 'a'.repeat(40_000))
          response.end('here')
        })
        await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
        broken.push(server)
        addresses.push(`127.0.0.1:${port}`)
      }
    })
    afterAll(() => {
      for (const server of broken) server.close()
    })

    test.each(['nginx', 'haproxy'] as const)('take no node away: the sample for %s', { timeout }, async (name) => {
      const proxy = await startSample(name, addresses)
      proxies.push(proxy)
      await expect.poll(() => ask(proxy, '/'), { timeout: 20_000 }).toBe(200)
      for (let round = 0; round < 6; round++)
        // On a connection that it has kept, HAProxy cuts off what the node cut off.
        for (const path of ['/long', '/cut']) expect(await ask(proxy, path).catch(() => 502)).toBe(502)
      expect(await forty(proxy, '/')).toEqual(Array(40).fill(200))
    })
  })
})
