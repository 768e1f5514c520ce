// `npm run bench:ten-million`: what people wait for, at 100,000 and at ten million people beside each other.
// Usage: npm run bench:ten-million -- [--people 100000,10000000] [--events 50000000] [--keep FOLDER] [--seed-only]
//   [--only sizes,signIns,calls,distance,crowd] [--minutes 30] [--atOnce 600] [--visitSeconds 90]
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPortal } from '../portal.ts'
import { measureCalls } from './calls.ts'
import { measureCrowd } from './crowd.ts'
import { measureDistance } from './distance.ts'
import { type KeptCluster, seededIn, startKept } from './kept-cluster.ts'
import { besideEachOther, type Report, type Row } from './report.ts'
import { seed } from './seed.ts'
import { measureSignIns } from './sign-ins.ts'
import { measureSizes } from './sizes.ts'
import { findVisitors, type Visitor } from './visitors.ts'

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '100000,10000000' },
    /** Of the most people; fewer people have as many for each. */
    events: { type: 'string' },
    keep: { type: 'string' },
    'seed-only': { type: 'boolean', default: false },
    only: { type: 'string', default: 'sizes,signIns,calls,distance,crowd' },
    minutes: { type: 'string', default: '30' },
    atOnce: { type: 'string', default: '600' },
    visitSeconds: { type: 'string', default: '90' },
  },
})
const sizes = options.people.split(',').map(Number)
const most = Math.max(...sizes)
const eventsFor = (people: number) => Math.round((Number(options.events ?? most * 5) * people) / most)
const parts = new Set(options.only.split(','))
const crowd = {
  atOnce: Number(options.atOnce),
  minutes: Number(options.minutes),
  visitSeconds: Number(options.visitSeconds),
}

const since = performance.now()
/** Does a part that was asked for, and says how long it took. */
async function part(name: string, work: () => Promise<Row[]>): Promise<Row[]> {
  if (!parts.has(name)) return []
  const began = performance.now()
  const rows = await work()
  for (const row of rows) console.log(`${row.name}: ${row.value}`)
  const load = loadavg().map((one) => one.toFixed(1))
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s, load of the machine ${load.join(' ')}`)
  return rows
}

async function inPortal(cluster: KeptCluster): Promise<{ rows: Row[]; visitors: Visitor[] }> {
  const portal = await startPortal({ ...cluster.settings, TRUSTED_PROXIES: '127.0.0.1,::1' })
  try {
    const visitors = await findVisitors(portal.url, cluster.ownerUrl, 20_000)
    console.log(`${visitors.length} people who may sign in: ${((performance.now() - since) / 1000).toFixed(0)} s`)
    return {
      visitors,
      rows: [
        ...(await part('signIns', () => measureSignIns(portal, cluster.appUrl, visitors))),
        ...(await part('calls', () => measureCalls(portal.url, cluster.ownerUrl))),
      ],
    }
  } finally {
    await portal.stop()
  }
}

async function measure(people: number, place: string): Promise<Report> {
  console.log(`\n${people.toLocaleString('en')} people`)
  const cluster = await startKept(place)
  try {
    const rows = await part('sizes', () => measureSizes(cluster.ownerUrl))
    const { rows: seen, visitors } = await inPortal(cluster)
    rows.push(...seen)
    rows.push(...(await part('distance', () => measureDistance(cluster, visitors))))
    rows.push(...(await part('crowd', () => measureCrowd(cluster, visitors, crowd))))
    return { people, rows }
  } finally {
    await cluster.stop()
  }
}

const folder = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'vestibule-ten-million-'))
mkdirSync(folder, { recursive: true })
// The account of PostgreSQL passes through.
chmodSync(folder, 0o755)
try {
  const reports: Report[] = []
  for (const people of sizes) {
    const place = join(folder, String(people))
    if (!seededIn(place)) await seed(place, people, eventsFor(people))
    if (!options['seed-only']) reports.push(await measure(people, place))
  }
  const [processor] = cpus()
  console.log(
    `\n${cpus().length} × ${processor?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}; the load is made on the same machine`,
  )
  if (reports.length > 0) console.log(`\n${besideEachOther(reports)}`)
} finally {
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}
