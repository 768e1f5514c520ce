import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgresPair } from '../test/process/postgres-pair.ts'
import { temporaryDataDir } from '../test/process/server-process.ts'
import { createBrowser, signIn } from './browser.ts'
import { startPortal } from './portal.ts'
import { findPostmaster, postgresTime } from './processor-time.ts'
import { scaleCalls } from './scale/calls.ts'

/** How much processor time of the primary a replica takes over: every list and search, without and with `DATABASE_READ_URL`. */
const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    /** Requests of each list. */
    requests: { type: 'string', default: '40' },
  },
})
const requests = Number(options.requests)
const root = join(import.meta.dirname, '..')
const pair = await startPostgresPair()
const place = temporaryDataDir()
const settings = { DATABASE_URL: pair.primaryUrl, DATA_DIR: place.dataDir }

/** Milliseconds of processor time for each request, at both servers. */
async function measure(name: string, more: Record<string, string>): Promise<void> {
  const portal = await startPortal({ ...settings, ...more })
  try {
    const browser = createBrowser(portal.url)
    await signIn(browser, 'super@vestibule.example', 'Demo-password-1')
    // Who has just changed something reads from the primary.
    const cookies = browser.cookieHeader('/api').split('; ')
    const cookie = cookies.filter((one) => !one.startsWith('changed=')).join('; ')
    // Until the replica is in use, and the work after a start is done.
    await wait(5000)
    const calls = (await scaleCalls(pair.primaryUrl)).filter(({ post }) => !post)
    const servers = await Promise.all([pair.primaryUrl, pair.replicaUrl].map(findPostmaster))
    const ask = async (count: number) => {
      for (const { path } of calls)
        for (let n = 0; n < count; n++) {
          const answer = await fetch(portal.url + path(n), { headers: { cookie } })
          await answer.arrayBuffer()
          if (answer.status !== 200) throw new Error(`${path(n)} answered ${answer.status}`)
        }
    }
    await ask(3)
    const before = servers.map(postgresTime)
    await ask(requests)
    const spent = servers.map((server, index) => postgresTime(server) - (before[index] ?? 0))
    const each = spent.map((seconds) => ((seconds * 1000) / (calls.length * requests)).toFixed(2))
    console.log(`${name}: ${each[0]} ms at the primary, ${each[1]} ms at the replica, of ${calls.length} lists`)
  } finally {
    await portal.stop()
  }
}

try {
  const seed = spawn(process.execPath, ['scripts/seed/run.ts', '--users', options.people], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  })
  const [code] = await once(seed, 'exit')
  if (code !== 0) throw new Error('the seed failed')
  // In turns, so that what changes on the machine meets both.
  for (const turn of ['first', 'second']) {
    await measure(`${turn} turn, without`, {})
    await measure(`${turn} turn, with DATABASE_READ_URL`, { DATABASE_READ_URL: pair.replicaUrl })
  }
} finally {
  pair.stop()
  place.remove()
}
