// `npm run bench:scale`: every list, search and sort of the administration with many people.
// Usage: npm run bench:scale -- [--sizes 10000,100000,1000000]; the budgets hold at 100,000, the growth from first to last
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { createBrowser, signIn } from '../browser.ts'
import { type Figure, table } from '../measure.ts'
import { startPortal } from '../portal.ts'
import { scaleCalls } from './calls.ts'
import { type Latency, latency } from './latency.ts'

interface Measured {
  name: string
  one: Latency
  eight: Latency
}

const root = join(import.meta.dirname, '..', '..')

/** A database of so many people, thrown away afterwards. */
async function measure(users: number): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-scale-'))
  const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  const settings = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR: folder }
  try {
    const seed = spawn(process.execPath, ['scripts/seed/run.ts', '--users', String(users)], {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: 'inherit',
    })
    const [code] = await once(seed, 'exit')
    if (code !== 0) throw new Error('the seed failed')
    const portal = await startPortal(settings)
    try {
      const browser = createBrowser(portal.url)
      await signIn(browser, 'super@vestibule.example', 'Demo-password-1')
      const client = { url: portal.url, cookie: browser.cookieHeader('/api') }
      const measured: Measured[] = []
      for (const call of await scaleCalls(database.ownerUrl)) {
        await latency(call, { ...client, clients: 8, requests: 80 })
        const one = await latency(call, { ...client, clients: 1, requests: 300 })
        const eight = await latency(call, { ...client, clients: 8, requests: 800 })
        measured.push({ name: call.name, one, eight })
      }
      return measured
    } finally {
      await portal.stop()
    }
  } finally {
    await database.stop()
    const cluster = realpathSync(join(folder, 'postgres'))
    for (const place of [cluster, folder]) rmSync(place, { recursive: true, force: true })
  }
}

const budget = (name: string, value: number, most: number): Figure => ({
  name,
  value,
  unit: 'ms',
  limit: { what: 'budget', value: most },
  target: { atMost: 1 },
})

function figuresOf(users: number, measured: readonly Measured[]): Figure[] {
  const size = users.toLocaleString('en')
  return measured.flatMap(({ name, one, eight }) => [
    budget(`${size}: ${name}, p50`, one.p50, 6),
    budget(`${size}: ${name}, p99`, one.p99, 20),
    budget(`${size}: ${name}, 8 clients p99`, eight.p99, 60),
  ])
}

const growth = (small: readonly Measured[], large: readonly Measured[]): Figure[] =>
  large.map(({ name, one }, index) => ({
    name: `growth: ${name}, p50`,
    value: one.p50,
    unit: 'ms',
    limit: { what: 'with the fewest people', value: small[index]?.one.p50 ?? Number.NaN },
    target: { atMost: 3 },
  }))

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '10000,100000,1000000' } } })
const sizes = values.sizes.split(',').map(Number)
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`)
const runs: { users: number; measured: Measured[] }[] = []
for (const users of sizes) {
  runs.push({ users, measured: await measure(users) })
  console.log(
    `load of the machine after ${users}: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
}
const budgeted = runs.filter(({ users }) => users === 100_000 || runs.length === 1)
const [first, last] = [runs[0], runs.at(-1)]
const grown = first && last && first !== last ? growth(first.measured, last.measured) : []
console.log(`\n${table([...budgeted.flatMap(({ users, measured }) => figuresOf(users, measured)), ...grown])}`)
