import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../deploy/cluster/cluster.ts'
import type { Server } from '../deploy/cluster/database.ts'
import { findLosses } from '../test/torture/find-losses.ts'
import { noLimits, verifyChain } from '../test/torture/torture.ts'
import { startWriters } from '../test/torture/writers.ts'
import { createBrowser, signIn } from './browser.ts'
import { readLogs } from './cluster-logs.ts'

/**
 * How long nobody can sign in while the database has no primary, and where these seconds go: four writers sign in, edit, invite
 * and import all the time, and one person after the other signs in.
 */
const kinds = ['postgres', 'machine', 'silent', 'switch'] as const
const { values: options } = parseArgs({
  options: {
    kinds: { type: 'string', default: kinds.join(',') },
    runs: { type: 'string', default: '5' },
    /** Keeps what it made and its logs. */
    keep: { type: 'boolean', default: false },
  },
})
/** Seconds that people go on signing in after the first one that worked. */
const afterwards = 8

const folder = mkdtempSync(join(tmpdir(), 'vestibule-fail-over-'))
// The account postgres must reach it.
chmodSync(folder, 0o755)
const cluster = await startCluster({
  folder: join(folder, 'cluster'),
  ports: 21_000,
  settings: { DEMO: 'on', LOG_LEVEL: 'info', ...noLimits },
  say: console.log,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.stop().then(() => process.exit(1)))

async function until(isTrue: () => Promise<boolean>, seconds: number, problem: string): Promise<void> {
  for (const late = Date.now() + seconds * 1000; !(await isTrue()); await wait(100))
    if (Date.now() > late) throw new Error(problem)
}

async function settle(): Promise<Server> {
  await until(
    async () => {
      const states = await cluster.states()
      const count = (role: string) => states.filter((one) => one.works && one.role === role).length
      return count('leader') === 1 && count('sync_standby') === 1 && count('replica') === 1
    },
    120,
    'not every server follows',
  )
  return (await cluster.primary()) ?? settle()
}

const act: Record<(typeof kinds)[number], (primary: Server) => Promise<void>> = {
  postgres: (primary) => cluster.kill(primary, 'postgres'),
  machine: (primary) => cluster.kill(primary, 'machine'),
  silent: (primary) => cluster.kill(primary, 'silent'),
  async switch() {
    const next = (await cluster.states()).find(({ role }) => role === 'sync_standby')
    const server = cluster.servers.find(({ name }) => name === next?.name)
    if (server) await cluster.switchTo(server)
  },
}

interface Attempts {
  /** Seconds until somebody was signed in; those before failed. */
  signedIn: number
  /** Seconds of the longest attempt, and how it ended. */
  slowest: { seconds: number; outcome: string }
}

/** One person after the other signs in, until it has worked for a while. */
async function attempts(since: number): Promise<Attempts> {
  let signedIn: number | undefined
  let slowest = { seconds: 0, outcome: '' }
  const now = () => (Date.now() - since) / 1000
  while (signedIn === undefined || now() < signedIn + afterwards) {
    const began = now()
    const outcome = await signIn(createBrowser(cluster.url), 'both@nordvik.example', 'Demo-password-1').then(
      () => 'signed in',
      (error: Error) => error.message,
    )
    const seconds = now() - began
    if (seconds > slowest.seconds) slowest = { seconds, outcome: `${outcome}, begun after ${began.toFixed(2)} s` }
    // One that began before the primary was gone may end after it.
    if (outcome === 'signed in' && now() > 0.5) signedIn ??= now()
    await wait(50)
  }
  return { signedIn, slowest }
}

async function firstReady(since: number, from: () => number | undefined): Promise<number> {
  for (; ; await wait(50)) {
    const ready = await fetch(`${cluster.url}/health/ready`, { signal: AbortSignal.timeout(2000) }).catch(
      () => undefined,
    )
    if (ready?.ok && (from() ?? Number.POSITIVE_INFINITY) <= Date.now()) return (Date.now() - since) / 1000
  }
}

async function run(kind: (typeof kinds)[number], number: number): Promise<number> {
  const before = await settle()
  const writers = await startWriters(cluster.url, `${kind}-${number}`)
  await wait(3000)
  const logs = readLogs(cluster.servers)
  const since = Date.now()
  await act[kind](before)
  const [{ signedIn, slowest }, ready] = await Promise.all([attempts(since), firstReady(since, logs.writableAt)])
  await writers.stop()
  const after = await leader()
  if (after.name === before.name) throw new Error(`${before.name} is still the primary`)
  const lost = [
    ...(await findLosses(cluster.databaseUrls(after).DATABASE_OWNER_URL, writers.ledger)),
    ...(await verifyChain(cluster.portalSettings.DATA_DIR, cluster.portalSettings)),
  ]
  const steps = logs.steps().map(({ what, at }) => `${what} ${((at - since) / 1000).toFixed(2)}`)
  const ends = [`a portal is ready ${ready.toFixed(2)}`, `somebody signed in ${signedIn.toFixed(2)}`]
  console.log(`${kind} ${number}: ${[...steps, ...ends].join(', ')}
    lost ${lost.length} of ${writers.ledger.invited.length} invitations and more; slowest sign-in ${slowest.seconds.toFixed(1)} s (${slowest.outcome})`)
  for (const one of lost.slice(0, 5)) console.log(`    ${one}`)
  if (kind === 'machine' || kind === 'silent') await cluster.start(before)
  return signedIn
}

async function leader(): Promise<Server> {
  await until(async () => (await cluster.primary()) !== undefined, 60, 'there is no primary')
  return (await cluster.primary()) ?? leader()
}

try {
  for (const kind of kinds.filter((one) => options.kinds.split(',').includes(one))) {
    const seconds: number[] = []
    for (let number = 1; number <= Number(options.runs); number++) seconds.push(await run(kind, number))
    console.log(
      `${kind}: ${seconds
        .sort((a, b) => a - b)
        .map((one) => one.toFixed(1))
        .join(', ')} s`,
    )
  }
} finally {
  await cluster.stop()
  if (options.keep) console.log(`kept in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
