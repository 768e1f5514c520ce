import { fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { createBrowser, signIn } from './browser.ts'
import { budget, type Figure } from './measure.ts'
import type { Flood, Flooded } from './overload-process.ts'
import type { BenchPortal } from './portal.ts'

// As many as may wait for a hash on two cores, and twice as many.
const floods = [200, 400]
const seconds = 10
const slowSockets = 500

/** How the portal does for others while more people sign in at once than two cores can check, and what slow senders get. */
export async function measureOverload(portal: BenchPortal): Promise<Figure[]> {
  const browser = createBrowser(portal.url)
  await signIn(browser, 'admin@nordvik.example', 'Demo-password-1')
  const cookie = browser.cookieHeader('/api/me')
  const figures: Figure[] = []
  let wrong = 0
  for (const atOnce of floods) {
    const flooding = flood({ url: portal.url, atOnce, seconds })
    const times = await askMeanwhile(portal.url, cookie)
    const { statuses, withoutRetryAfter } = await flooding
    console.log(`${atOnce} passwords at once: ${JSON.stringify(statuses)}`)
    wrong += withoutRetryAfter + failures(statuses)
    const p95 = times[Math.floor(times.length * 0.95)] ?? Infinity
    figures.push(budget(`/api/me while ${atOnce} passwords are checked, p95`, p95, 'ms', 100))
  }
  const slowest = await cutSlowSockets(portal.url)
  return [
    ...figures,
    {
      name: 'failures, and refusals that do not say when to try again',
      value: wrong,
      unit: 'in all',
      limit: { what: 'none allowed, of', value: 1 },
      target: { atMost: 0 },
    },
    budget(`${slowSockets} slow senders, until the last is cut off`, slowest, 's', 15),
  ]
}

/** Milliseconds of requests for the own session, one after the other, sorted. */
async function askMeanwhile(url: string, cookie: string): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + (seconds - 1) * 1000; performance.now() < end; await wait(20)) {
    const since = performance.now()
    const { statusCode, body } = await request(`${url}/api/me`, { headers: { cookie } })
    await body.dump()
    times.push(statusCode === 200 ? performance.now() - since : Infinity)
  }
  return times.sort((one, other) => one - other)
}

const failures = (statuses: Flooded['statuses']) =>
  Object.entries(statuses).reduce((sum, [status, count]) => sum + (/^(204|429|503)$/.test(status) ? 0 : count), 0)

function flood(options: Flood): Promise<Flooded> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'overload-process.ts'))
    child.once('message', (result) => resolve(result as Flooded))
    child.once('exit', (code) => reject(new Error(`the flood ended with ${code}`)))
    child.send(options)
  })
}

/** Opens sockets that send a head a byte at a time. @returns seconds until the last one is closed */
async function cutSlowSockets(url: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const since = performance.now()
  await Promise.all(
    Array.from({ length: slowSockets }, async () => {
      const socket: Socket = connect(Number(port), hostname)
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.on('error', () => {})
      socket.resume()
      socket.write('GET / HTTP/1.1\r\nhost: portal\r\nx-slow: ')
      const sending = setInterval(() => socket.writable && socket.write('a'), 1000)
      await closed
      clearInterval(sending)
    }),
  )
  return (performance.now() - since) / 1000
}
