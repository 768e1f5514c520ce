import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBrowser, signIn } from '../../bench/browser.ts'
import { findLosses } from '../torture/find-losses.ts'
import { noLimits, verifyChain } from '../torture/torture.ts'
import { startWriters } from '../torture/writers.ts'
import { startPostgresPair } from './postgres-pair.ts'
import { startServerProcess, temporaryDataDir } from './server-process.ts'

const timeout = 180_000

test('when the database is killed and its replica is promoted, people sign in again and nothing is lost', {
  timeout,
}, async () => {
  const pair = await startPostgresPair()
  const { dataDir, remove } = temporaryDataDir()
  const env = { DATABASE_URL: pair.url, DEMO: 'on', LOG_LEVEL: 'fatal', ...noLimits }
  const node = await startServerProcess({ dataDir, env })
  try {
    await node.ready
    const canSignIn = () =>
      signIn(createBrowser(node.url), 'both@nordvik.example', 'Demo-password-1').then(
        () => true,
        () => false,
      )
    const isReady = async () => (await fetch(`${node.url}/health/ready`)).status
    const writers = await startWriters(node.url, 'failover')
    await wait(3000)
    pair.killPrimary()
    await expect.poll(isReady).toBe(503)
    // A replica answers, but it is not used as long as it only reads.
    await wait(2000)
    expect(await canSignIn()).toBe(false)
    expect(await isReady()).toBe(503)

    pair.promote()
    const since = performance.now()
    while (!(await canSignIn()) && performance.now() - since < 30_000) await wait(50)
    const seconds = (performance.now() - since) / 1000
    const before = { ...writers.ledger, invited: writers.ledger.invited.length }
    await wait(2000)
    await writers.stop()
    const { ledger } = writers
    console.log(
      `signed in ${seconds.toFixed(2)} s after the promotion; invited ${before.invited}, ${ledger.invited.length}`,
    )
    expect(seconds).toBeLessThan(5)
    expect(before.invited).toBeGreaterThan(0)
    expect(ledger.invited.length).toBeGreaterThan(before.invited)
    expect(await findLosses(pair.replicaUrl, ledger)).toEqual([])
    expect(await verifyChain(dataDir, env)).toEqual([])
  } finally {
    node.signal('SIGKILL')
    await node.ended
    pair.stop()
    remove()
  }
})
