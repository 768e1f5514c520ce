import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { type BenchBrowser, createBrowser, signIn } from '../../bench/browser.ts'
import { isInstalled, type ProxyName, type ReverseProxy, startProxy } from './proxies.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

/** More for a figure to publish: ROLLING_JOURNEYS=3000 npm run test:rolling-restart */
const journeysPerWay = Number(process.env.ROLLING_JOURNEYS ?? 100)
const timeout = 120_000 + journeysPerWay * 200
const drainSeconds = 2

const { dataDir, remove } = temporaryDataDir()
const baseUrl = 'http://portal.localhost:8080'
const nodes: ServerProcess[] = []
let proxies: Partial<Record<ProxyName, ReverseProxy>> = {}

const startNode = async (port: string) => {
  const limits = Object.fromEntries(
    ['AUTH_TYPE', 'BEGUN_SIGN_IN', 'ADDRESS_FAILURES', 'ADDRESS_FAILURES_HOURLY', 'API'].map((name) => [
      `LIMIT_${name}`,
      '9999999/60',
    ]),
  )
  const env = { PORT: port, BASE_URL: baseUrl, DRAIN_SECONDS: String(drainSeconds), LOG_LEVEL: 'error', ...limits }
  const node = await startServerProcess({ dataDir, env })
  await node.ready
  return node
}
const stopNode = async (node: ServerProcess | undefined, signal: NodeJS.Signals) => {
  node?.signal(signal)
  return node?.ended
}

beforeAll(async () => {
  // The people who sign in are those of the demo.
  const demo = await startServerProcess({ dataDir, env: { DEMO: 'on' } })
  await demo.ready
  await stopNode(demo, 'SIGINT')
  for (const port of [await freePort(), await freePort()]) nodes.push(await startNode(String(port)))
  const addresses = nodes.map(({ url }) => new URL(url).host.replace('localhost', '127.0.0.1'))
  const installed = (['haproxy', 'nginx'] as const).filter(isInstalled)
  const started = await Promise.all(installed.map(async (name) => [name, await startProxy(name, addresses)] as const))
  proxies = Object.fromEntries(started)
}, timeout)
afterAll(async () => {
  await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()))
  await Promise.all(nodes.map((node) => stopNode(node, 'SIGINT')))
  remove()
}, timeout)

/** Signs in, looks at the own account and signs out. */
async function journey(browser: BenchBrowser, email: string): Promise<void> {
  await signIn(browser, email, 'Demo-password-1')
  await browser.get('/api/me')
  const end = await browser.submit('/logout', {})
  if (end !== '/') throw new Error(`signing out ended at ${end}`)
}

/** A client without a proxy: it asks the nodes four times a second which of them is ready. */
function watchNodes() {
  const ready = new Set<string>()
  let turn = 0
  const looking = setInterval(async () => {
    for (const { url } of nodes) {
      const response = await fetch(`${url}/health/ready`).catch(() => undefined)
      if (response?.ok) ready.add(url)
      else ready.delete(url)
    }
  }, 250)
  return {
    next: () => [...ready][turn++ % ready.size] ?? nodes[0]?.url ?? '',
    stop: () => clearInterval(looking),
  }
}

test('people sign in and out while both nodes restart, one after the other, and nobody notices', {
  timeout,
}, async () => {
  expect(Object.keys(proxies)).toEqual(['haproxy', 'nginx'])
  const watch = watchNodes()
  const ways: Record<string, () => string> = {
    'without a proxy': watch.next,
    ...Object.fromEntries(Object.entries(proxies).map(([name, { url }]) => [name, () => url])),
  }
  await wait(1000)
  const done = Object.fromEntries(Object.keys(ways).map((name) => [name, 0]))
  const lost: string[] = []
  let restarting = true
  const isOver = () => !restarting && Object.values(done).every((count) => count >= journeysPerWay)
  const walking = Object.entries(ways).flatMap(([name, serverOf]) =>
    ['admin@nordvik.example', 'user@nordvik.example'].map(async (email) => {
      while (!isOver()) {
        await journey(createBrowser(baseUrl, serverOf), email).catch((error) => lost.push(`${name}: ${error}`))
        done[name] = (done[name] ?? 0) + 1
      }
    }),
  )
  try {
    do
      for (const [index, node] of nodes.entries()) {
        expect(await stopNode(node, 'SIGTERM')).toBe(0)
        nodes[index] = await startNode(new URL(node.url).port)
        // The proxies must have seen that this node is back before the other one goes.
        await wait(2500)
      }
    while (Object.values(done).some((count) => count < journeysPerWay))
  } finally {
    restarting = false
    watch.stop()
  }
  await Promise.all(walking)
  console.log(`journeys while nodes restarted: ${JSON.stringify(done)}, lost: ${lost.length}`)
  expect(lost).toEqual([])
})
