// `npm run bench:scale`: every list, search and sort of the administration with many people.
// Usage: npm run bench:scale -- [--sizes 10000,100000,1000000] [--events 5000000] [--only "parts of calls' names, separated by commas"]
// The budgets hold at 100,000, the growth from first to last. The audit log is measured at 100,000, or where there is one size.
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
import { auditCalls } from './audit-calls.ts'
import { makeAdminOfTheLargest, seedAuditEvents } from './audit-events.ts'
import { type ScaleCall, scaleCalls } from './calls.ts'
import { decisionCalls, isDecision } from './decision-calls.ts'
import { type Latency, latency } from './latency.ts'

interface Measured {
  name: string
  goal?: number | undefined
  one: Latency
  eight: Latency
}

const root = join(import.meta.dirname, '..', '..')

/** A call that fails, as when the database takes too long, takes forever. */
const never = (failure: unknown): Latency => {
  console.log(String(failure))
  return { p50: Infinity, p95: Infinity, p99: Infinity }
}

async function measureCall(
  call: ScaleCall & { goal?: number },
  client: { url: string; cookie: string },
): Promise<Measured> {
  await latency(call, { ...client, clients: 8, requests: 80 }).catch(never)
  const one = await latency(call, { ...client, clients: 1, requests: 300 }).catch(never)
  const eight = await latency(call, { ...client, clients: 8, requests: 800 }).catch(never)
  console.log(
    `${call.name}: ${one.p50.toFixed(1)}, ${one.p95.toFixed(1)}, ${one.p99.toFixed(1)}; eight clients ${eight.p99.toFixed(1)} ms`,
  )
  return { name: call.name, goal: call.goal, one, eight }
}

/** The audit log with so many events, for a super user and for the admin of the largest organisation. */
async function measureAuditLog(url: string, ownerUrl: string, events: number): Promise<Measured[]> {
  const since = performance.now()
  await seedAuditEvents(ownerUrl, events)
  console.log(`${events} events: ${((performance.now() - since) / 1000).toFixed(0)} s`)
  const admin = 'admin@nordvik.example'
  await makeAdminOfTheLargest(ownerUrl, admin)
  const cookies: Record<string, string> = {}
  for (const email of ['super@vestibule.example', admin]) {
    const browser = createBrowser(url)
    await signIn(browser, email, 'Demo-password-1')
    cookies[email] = browser.cookieHeader('/api')
  }
  const measured: Measured[] = []
  for (const call of await auditCalls(ownerUrl)) {
    const cookie = cookies[call.admin ? admin : 'super@vestibule.example'] ?? ''
    measured.push(await measureCall(call, { url, cookie }))
  }
  return measured
}

/** A database of so many people, thrown away afterwards. */
async function measure(users: number, events: number): Promise<{ people: Measured[]; audit: Measured[] }> {
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
      const people: Measured[] = []
      const calls = [
        ...(await scaleCalls(database.ownerUrl)),
        ...(await decisionCalls(portal.url, database.ownerUrl)),
      ].filter(({ name }) => values.only.split(',').some((part) => name.includes(part)))
      for (const call of calls) people.push(await measureCall(call, client))
      const audit = events > 0 ? await measureAuditLog(portal.url, database.ownerUrl, events) : []
      return { people, audit }
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
    ...(isDecision(name) ? [budget(`${size}: ${name}, p95`, one.p95, 5)] : []),
    budget(`${size}: ${name}, p50`, one.p50, 30),
    budget(`${size}: ${name}, p99`, one.p99, 100),
    budget(`${size}: ${name}, 8 clients p99`, eight.p99, 300),
  ])
}

const told = (figure: Figure): Figure => ({ ...figure, target: 'none' })

const auditFigures = (audit: readonly Measured[]): Figure[] =>
  audit.flatMap(({ name, goal, one, eight }) => [
    goal ? budget(`${name}, p99`, one.p99, goal) : told(budget(`${name}, p99`, one.p99, 2000)),
    told(budget(`${name}, p50`, one.p50, goal ?? 2000)),
    told(budget(`${name}, 8 clients p99`, eight.p99, goal ?? 2000)),
  ])

const growth = (small: readonly Measured[], large: readonly Measured[]): Figure[] =>
  large.map(({ name, one }, index) => ({
    name: `growth: ${name}, p50`,
    value: one.p50,
    unit: 'ms',
    limit: { what: 'with the fewest people', value: small[index]?.one.p50 ?? Number.NaN },
    target: 'none',
  }))

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    events: { type: 'string', default: '5000000' },
    only: { type: 'string', default: '' },
  },
})
const sizes = values.sizes.split(',').map(Number)
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`)
const runs: { users: number; people: Measured[]; audit: Measured[] }[] = []
const isBudgeted = (users: number) => users === 100_000 || sizes.length === 1
for (const users of sizes) {
  runs.push({ users, ...(await measure(users, isBudgeted(users) ? Number(values.events) : 0)) })
  console.log(
    `load of the machine after ${users}: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
}
const budgeted = runs.filter(({ users }) => isBudgeted(users))
const [first, last] = [runs[0], runs.at(-1)]
const grown = first && last && first !== last ? growth(first.people, last.people) : []
console.log(
  `\n${table([
    ...budgeted.flatMap(({ users, people, audit }) => [...figuresOf(users, people), ...auditFigures(audit)]),
    ...grown,
  ])}`,
)
