import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import { createBrowser, signIn } from '../../bench/browser.ts'
import { type Cluster, startCluster } from '../../deploy/cluster/cluster.ts'
import { findLosses } from '../torture/find-losses.ts'
import { noLimits, verifyChain } from '../torture/torture.ts'
import { startWriters } from '../torture/writers.ts'

const timeout = 240_000
const programs = { patroni: '--version', etcd: '--version', pgbackrest: 'version', haproxy: '-v' }
const missing = Object.entries(programs)
  .filter(([program, option]) => spawnSync(program, [option]).status !== 0)
  .map(([program]) => program)
  .join(', ')

if (missing) throw new Error(`${missing} must be installed: see docs/cluster.md`)

// Each test goes on where the one before left the cluster.
describe('three servers under Patroni and three portals', () => {
  let cluster: Cluster
  // The account postgres must reach it.
  const folder = mkdtempSync('/tmp/vestibule-cluster-')
  chmodSync(folder, 0o755)
  const clears: (() => void)[] = [cleanUpOnExit({ folders: [folder] })]
  const seen: string[] = []
  const failures: string[] = []

  beforeAll(async () => {
    const port = 20_000 - 50 * (1 + Number(process.env.VITEST_POOL_ID ?? 0))
    cluster = await startCluster({
      folder: join(folder, 'cluster'),
      ports: port,
      settings: { DEMO: 'on', LOG_LEVEL: 'fatal', ...noLimits },
      say: () => {},
      started: (pid) => clears.push(cleanUpOnExit({ pid })),
    })
  }, timeout)
  afterAll(async () => {
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
    for (const clear of clears) clear()
    console.log(seen.join('\n'))
  }, timeout)

  const canSignIn = async () => {
    const late = wait(10_000).then(() => 'no answer within 10 s')
    const attempt = signIn(createBrowser(cluster.url), 'both@nordvik.example', 'Demo-password-1')
    const failure = await Promise.race([
      late,
      attempt.then(
        () => '',
        (error: Error) => error.message,
      ),
    ])
    if (failure) failures.push(failure)
    return !failure
  }
  const primary = async () => {
    const server = await cluster.primary()
    if (!server) throw new Error('there is no primary')
    return server
  }
  const stateOf = async (name: string) => (await cluster.states()).find((one) => one.name === name)
  const allFollow = () => {
    const followers = async () =>
      (await cluster.states()).filter(({ role, works }) => works && role !== 'leader').length
    return expect.poll(followers, { timeout: 60_000 }).toBe(2)
  }
  const secondsUntil = async (isTrue: () => Promise<boolean>) => {
    const since = performance.now()
    while (!(await isTrue())) {
      if (performance.now() - since > 60_000)
        throw new Error(`nothing within a minute: ${[...new Set(failures)].join(', ')}`)
      await wait(50)
    }
    return (performance.now() - since) / 1000
  }

  test.for(['postgres', 'machine'] as const)(
    'when the primary (%s) is killed another takes over, and nothing that was answered is lost',
    {
      timeout,
    },
    async (what) => {
      await allFollow()
      const writers = await startWriters(cluster.url, `cluster-${what}`)
      await wait(3000)
      const killed = await primary()
      await cluster.kill(killed, what)
      const seconds = await secondsUntil(canSignIn)
      const next = await primary()
      const before = writers.ledger.invited.length
      await wait(3000)
      await writers.stop()
      seen.push(
        `${what} killed: somebody signed in ${seconds.toFixed(2)} s later, at ${next.name} in place of ${killed.name}`,
      )
      expect(next.name).not.toBe(killed.name)
      expect(seconds).toBeLessThan(30)
      expect(before).toBeGreaterThan(0)
      expect(writers.ledger.invited.length).toBeGreaterThan(before)
      expect(await findLosses(cluster.databaseUrls(next).DATABASE_OWNER_URL, writers.ledger)).toEqual([])
      expect(await verifyChain(cluster.portalSettings.DATA_DIR, cluster.portalSettings)).toEqual([])
      if (what === 'machine') await cluster.start(killed)
      await allFollow()
    },
  )

  test('a machine that lost its disk gets its data from the backup, and can become the primary', {
    timeout,
  }, async () => {
    await allFollow()
    const leader = await primary()
    await cluster.pgbackrest(leader, 'backup')
    const lost = cluster.servers.find(({ name }) => name !== leader.name)
    if (!lost) throw new Error('there is no other server')
    await cluster.kill(lost, 'machine')
    await expect.poll(async () => (await stateOf(lost.name))?.works ?? false, { timeout: 60_000 }).toBe(false)
    await cluster.start(lost, 'without data')
    const seconds = await secondsUntil(async () => (await stateOf(lost.name))?.works === true)
    seen.push(`a server without data followed after ${seconds.toFixed(1)} s`)
    // Only a server that waits for every commit may take over: the other one makes room.
    const other = cluster.servers.find((server) => server !== lost && server.name !== leader.name)
    if (!other) throw new Error('there is no third server')
    await cluster.kill(other, 'machine')
    await expect.poll(async () => (await stateOf(lost.name))?.role, { timeout: 60_000 }).toBe('sync_standby')
    await cluster.start(other)
    await cluster.switchTo(lost)
    await expect.poll(async () => (await cluster.primary())?.name, { timeout: 60_000 }).toBe(lost.name)
    const after = await secondsUntil(canSignIn)
    seen.push(`another was made the primary: somebody signed in ${after.toFixed(2)} s later`)
  })

  test('what a person did by mistake is undone by a restore to the moment before', { timeout }, async () => {
    const leader = await primary()
    const database = new pg.Client({ connectionString: cluster.databaseUrls(leader).DATABASE_OWNER_URL })
    await database.connect()
    const count = async (client: pg.Client) =>
      Number((await client.query<{ count: string }>('select count(last_name) from users')).rows[0]?.count)
    const held = await count(database)
    expect(held).toBeGreaterThan(0)
    await wait(1100)
    const moment = new Date()
    await wait(1100)
    await database.query('update users set last_name = null')
    expect(await count(database)).toBe(0)
    await database.end()
    const copy = await cluster.restore(leader, moment)
    try {
      const restored = new pg.Client({ connectionString: copy.databaseUrls.DATABASE_OWNER_URL })
      await restored.connect()
      expect(await count(restored)).toBe(held)
      await restored.end()
      const settings = { ...cluster.portalSettings, ...copy.databaseUrls }
      expect(await verifyChain(cluster.portalSettings.DATA_DIR, settings)).toEqual([])
    } finally {
      await copy.stop()
    }
  })
})
