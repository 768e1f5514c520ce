import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type FaultyLine, openFaultyLine } from '../../test/process/faulty-line.ts'
import { createBrowser, signIn } from '../browser.ts'
import { startPortal } from '../portal.ts'
import { password } from '../service-sign-ins.ts'
import type { KeptCluster } from './kept-cluster.ts'
import { goalRow, latencyRow, percentiles, type Row } from './report.ts'
import { isRefusal, type Visitor } from './visitors.ts'

const each = 200
/** Milliseconds between portal and database, and what Keycloak publishes as its p99 there. */
const distances = [
  [0, 47],
  [10, 84],
  [20, 130],
] as const

/** Milliseconds until a statement is answered, the shortest of some. */
async function answerTime(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const times: number[] = []
  for (let count = 0; count < 20; count++) {
    const since = performance.now()
    await client.query('select 1')
    times.push(performance.now() - since)
  }
  await client.end()
  return Math.min(...times)
}

/** How often the portal asks for itself in a second, while nobody is there. */
async function idleTrips(line: FaultyLine): Promise<number> {
  const [before, seconds] = [line.roundTrips(), 5]
  await wait(seconds * 1000)
  return (line.roundTrips() - before) / seconds
}

/** Sign-ins one after the other, with the database at several distances. */
export async function measureDistance(cluster: KeptCluster, visitors: readonly Visitor[]): Promise<Row[]> {
  const line = await openFaultyLine(cluster.appUrl)
  const databaseUrl = line.urlOf(cluster.appUrl)
  const portal = await startPortal({
    ...cluster.settings,
    DATABASE_URL: databaseUrl,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    // Each of them signs in for the first time; who is known by the browser gets no mail, which is five round trips more.
    NEW_BROWSER_MAIL: 'off',
  })
  const rows: Row[] = []
  const middles: number[] = []
  let [next, refused] = [0, 0]
  const signInOne = async (): Promise<number> => {
    const { email, address } = visitors[next++ % visitors.length] as Visitor
    const since = performance.now()
    try {
      await signIn(createBrowser(portal.url, undefined, { 'x-forwarded-for': address }), email, password)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused++
      await wait(1000)
      return signInOne()
    }
    return performance.now() - since
  }
  try {
    for (let count = 0; count < each / 2; count++) await signInOne()
    for (const [distance, keycloak] of distances) {
      line.delay(distance / 2)
      const answered = await answerTime(databaseUrl)
      const idle = await idleTrips(line)
      const [before, since, times] = [line.roundTrips(), performance.now(), [] as number[]]
      for (let count = 0; count < each; count++) times.push(await signInOne())
      const own = idle * ((performance.now() - since) / 1000)
      const seen = percentiles(times)
      middles.push(seen.p50)
      const name = `sign-in with ${distance} ms to the database`
      rows.push(
        latencyRow(name, seen),
        goalRow(`${name}, p99, beside Keycloak's`, seen.p99, 'ms', { atMost: keycloak }),
        { name: `a statement with ${distance} ms to the database, ms`, value: answered.toFixed(1) },
        {
          name: `round trips to the database for one, ${distance} ms away`,
          value: ((line.roundTrips() - before - own) / each).toFixed(1),
        },
      )
    }
    const [near = Number.NaN, , far = Number.NaN] = middles
    rows.push(
      { name: 'round trips that a sign-in waits for', value: ((far - near) / 20).toFixed(1) },
      { name: 'sign-ins that were refused early, with a database far away', value: String(refused) },
    )
    return rows
  } finally {
    line.mend()
    await portal.stop()
    await line.close()
  }
}
