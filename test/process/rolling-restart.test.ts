import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { createBrowser } from '../../bench/browser.ts'
import { type HeldSocket, holdSocket } from './held-socket.ts'
import { isInstalled, type ReverseProxy, startProxy } from './proxies.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'
import { signInAndOut, unlimited, watchNodes } from './watched-nodes.ts'

/** More for a figure to publish: ROLLING_JOURNEYS=3000 npm run test:rolling-restart */
const journeysPerWay = Number(process.env.ROLLING_JOURNEYS ?? 30)
/** Journeys of a short run leave the processor to the tests beside it. */
const pauseMs = process.env.ROLLING_JOURNEYS ? 0 : 250
const timeout = 120_000 + journeysPerWay * 200
const baseUrl = 'http://portal.localhost:8080'
const people = ['admin@nordvik.example', 'user@nordvik.example', 'both@nordvik.example', 'admin@alvdal.example']

const installed = { haproxy: isInstalled('haproxy'), nginx: isInstalled('nginx') }
const missing = (['haproxy', 'nginx'] as const).filter((name) => !installed[name]).join(' and ')

if (process.env.CI && missing) throw new Error(`${missing} must be installed`)

/** How people reach two nodes, and whether a service manager holds the sockets that these listen on. */
const ways = [
  { name: 'HAProxy', proxy: 'haproxy', held: false },
  { name: 'without a proxy', proxy: undefined, held: false },
  { name: 'nginx, held sockets', proxy: 'nginx', held: true },
  ...(process.env.ROLLING_JOURNEYS ? [{ name: 'HAProxy, held sockets', proxy: 'haproxy', held: true } as const] : []),
] as const

describe.skipIf(missing)(`a rolling restart${missing && ` (not installed: ${missing})`}`, () => {
  let database: TestDatabase
  let folder: ReturnType<typeof temporaryDataDir>
  const sockets: HeldSocket[] = []
  const proxies: ReverseProxy[] = []
  /** Pairs of nodes: which restart together. */
  const pairs = { held: [] as ServerProcess[], own: [] as ServerProcess[] }
  const pairOf = ({ held }: { held: boolean }) => (held ? pairs.held : pairs.own)

  const startNode = async (env: Record<string, string>, socket?: number) => {
    const node = await startServerProcess({
      dataDir: folder.dataDir,
      socket,
      env: {
        DATABASE_URL: database.appUrl,
        DATABASE_OWNER_URL: database.ownerUrl,
        BASE_URL: baseUrl,
        DRAIN_SECONDS: '2',
        LOG_LEVEL: 'error',
        ...unlimited,
        ...env,
      },
    })
    await node.ready
    return node
  }
  const restart = async (nodes: ServerProcess[], index: number, socket?: number) => {
    const node = nodes[index]
    node?.signal('SIGTERM')
    expect(await node?.ended).toBe(0)
    nodes[index] = await startNode({ PORT: new URL(node?.url ?? '').port }, socket)
  }

  beforeAll(async () => {
    folder = temporaryDataDir()
    database = await createTestDatabase()
    sockets.push(holdSocket(), holdSocket())
    // The people who sign in are those of the demo.
    pairs.own.push(await startNode({ DEMO: 'on', PORT: String(await freePort()) }))
    pairs.own.push(await startNode({ PORT: String(await freePort()) }))
    for (const { fd, port } of sockets) pairs.held.push(await startNode({ PORT: port }, fd))
  }, timeout)
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    for (const node of [...pairs.own, ...pairs.held]) node.signal('SIGINT')
    await Promise.all([...pairs.own, ...pairs.held].map(({ ended }) => ended))
    for (const socket of sockets) socket.close()
    await database?.drop()
    folder?.remove()
  }, timeout)

  test('of two nodes, one after the other, is noticed by nobody who signs in or out', { timeout }, async () => {
    const watch = watchNodes(pairs.own)
    const serverOf = async (way: (typeof ways)[number]) => {
      if (!way.proxy) return watch.next
      const addresses = pairOf(way).map(({ url }) => new URL(url).host.replace('localhost', '127.0.0.1'))
      const proxy = await startProxy(way.proxy, addresses)
      proxies.push(proxy)
      return () => proxy.url
    }
    const servers = await Promise.all(ways.map(serverOf))
    await expect.poll(watch.count).toBe(2)
    const done = ways.map(() => 0)
    const lost: string[] = []
    let rounds = 0
    let failed = false
    const isOver = (index: number) => failed || (rounds >= 2 && (done[index] ?? 0) >= journeysPerWay)
    const walking = ways.flatMap(({ name }, index) =>
      people.map(async (email) => {
        while (!isOver(index)) {
          const since = new Date().toISOString()
          await signInAndOut(createBrowser(baseUrl, servers[index]), email).catch((error) =>
            lost.push(`${name}, ${since}: ${error}`),
          )
          done[index] = (done[index] ?? 0) + 1
          await wait(pauseMs)
        }
      }),
    )
    try {
      for (; !done.every((_, index) => isOver(index)); rounds++)
        for (const index of [0, 1]) {
          await Promise.all([restart(pairs.own, index), restart(pairs.held, index, sockets[index]?.fd)])
          // As an operator does: the other one goes once everybody has seen that this one is back.
          await expect.poll(watch.count).toBe(2)
          for (const proxy of proxies.filter(({ name }) => name === 'haproxy'))
            await expect.poll(() => nodeThatAnswers(proxy)).toBe(`node${index}`)
        }
    } catch (error) {
      failed = true
      throw error
    } finally {
      watch.stop()
    }
    await Promise.all(walking)
    const counts = ways.map(({ name }, index) => `${name}: ${done[index]}`)
    console.log(`${rounds * 2} restarts; journeys: ${counts.join('; ')}; lost: ${lost.length}`)
    expect(lost).toEqual([])
  })
})

const nodeThatAnswers = async ({ url }: ReverseProxy) => (await fetch(`${url}/health/live`)).headers.get('x-node')
