import { fork } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { limitRules, limitSetting } from '#server/platform/limit-rules.ts'
import { startPortal } from '../portal.ts'
import type { Crowd, Seen } from './crowd-process.ts'
import type { KeptCluster } from './kept-cluster.ts'
import { goalRow, latencyRow, percentiles, type Row } from './report.ts'
import type { Visitor } from './visitors.ts'

/** How many, for how long, and how long each stays. */
export interface CrowdOptions {
  atOnce: number
  minutes: number
  visitSeconds: number
}

/** The portal's limits as they are shipped: an empty setting is not set. */
const shippedLimits = Object.fromEntries(Object.keys(limitRules).map((name) => [limitSetting(name), '']))

/** Looks again and again at what the portal's connections do. @returns the share of those that work and wait for a lock, in percent */
async function watchLocks(appUrl: string): Promise<() => Promise<number>> {
  // The role of the portal sees what its own connections wait for.
  const client = new pg.Client({ connectionString: appUrl })
  await client.connect()
  let [waiting, all, isOver] = [0, 0, false]
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ waiting: number; busy: number }>(
        `select count(*) filter (where wait_event_type = 'Lock')::integer as waiting, count(*)::integer as busy
         from pg_stat_activity where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      waiting += rows[0]?.waiting ?? 0
      all += rows[0]?.busy ?? 0
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return async () => {
    isOver = true
    await watching
    await client.end()
    return (100 * waiting) / Math.max(1, all)
  }
}

function come(crowd: Crowd): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'crowd-process.ts'))
    child.once('message', (seen) => resolve(seen as Seen))
    child.once('exit', (code) => reject(new Error(`the crowd ended with ${code}`)))
    child.send(crowd)
  })
}

/** People who are there at once, as they come through a proxy, from as many addresses. */
export async function measureCrowd(
  cluster: KeptCluster,
  visitors: Visitor[],
  { atOnce, minutes, visitSeconds }: CrowdOptions,
): Promise<Row[]> {
  const portal = await startPortal({ ...cluster.settings, ...shippedLimits, TRUSTED_PROXIES: '127.0.0.1,::1' })
  try {
    const lockedShare = await watchLocks(cluster.appUrl)
    // This start of the portal has another address.
    const here = visitors.map((one) => ({ ...one, service: { ...one.service, issuer: `${portal.url}/oidc` } }))
    const seen = await come({ url: portal.url, visitors: here, atOnce, seconds: minutes * 60, visitSeconds })
    const locked = await lockedShare()
    for (const [kind, counts] of Object.entries({ refused: seen.refusals, failed: seen.failures }))
      for (const [what, count] of Object.entries(counts)) console.log(`${kind}: ${count} × ${what}`)
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0)
    const name = `${atOnce} people at once, ${minutes} minutes`
    const steps = Object.values(seen.times).flat()
    return [
      { name: `${name}: whole visits`, value: seen.visits.toLocaleString('en') },
      goalRow(`${name}: failed`, sum(seen.failures), 'steps', { atMost: 0 }),
      { name: `${name}: refused early (429, 503), steps`, value: String(sum(seen.refusals)) },
      goalRow(`${name}: the slowest kind of step, p95`, slowest(seen.times), 's', { atMost: 2 }),
      latencyRow(`${name}: all steps`, percentiles(steps)),
      ...Object.entries(seen.times).map(([step, times]) => latencyRow(`${name}: ${step}`, percentiles(times))),
      goalRow(`${name}: working connections that wait for a lock`, locked, '%', { atMost: 2 }),
    ]
  } finally {
    await portal.stop()
  }
}

const slowest = (times: Seen['times']) => Math.max(...Object.values(times).map((some) => percentiles(some).p95)) / 1000
