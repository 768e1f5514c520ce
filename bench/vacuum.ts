// `npm run bench:vacuum`: the tables of what services and sign-ins leave for a while, over 30 days of traffic in fast time, as they
// are and in partitions by day. Usage: npm run bench:vacuum -- [--days 30] [--signIns 20000] [--secondsPerDay 12] [--folder DIR]
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { removeExpired } from '#server/platform/jobs/remove-expired.ts'
import { findPostmaster } from './processor-time.ts'
import { byDay, dropOldDays, type Kind, kinds, makeDays, partitions } from './vacuum-days.ts'

const { values: options } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    signIns: { type: 'string', default: '20000' },
    secondsPerDay: { type: 'string', default: '12' },
    folder: { type: 'string', default: tmpdir() },
  },
})
const perHour = Math.ceil(Number(options.signIns) / 24)
const hour = 3600_000
const start = new Date('2026-03-01T00:00:00Z').getTime()
const at = (hours: number) => new Date(start + hours * hour)
const sides = ['as it is', 'by day'] as const

async function play(): Promise<void> {
  const { db, close } = openDatabase({ url: database.ownerUrl, statementTimeout: 60 })
  const kept = readConfig({})
  console.log(
    '| day | table | | rows living | dead | table | indexes | lookup p50 | p99 |\n|---|---|---|---|---|---|---|---|---|',
  )
  for (let day = 0; day < Number(options.days); day++) {
    const since = performance.now()
    const times = new Map<string, number[]>()
    await partitions(owner, at(day * 24))
    for (let of = 0; of < 24; of++) {
      const now = at(day * 24 + of)
      for (const kind of kinds) {
        const known = []
        for (const side of sides) known.push(await insert(kind, side, now, day * 24 + of))
        // In turns, so that both sides meet the same machine.
        for (const id of known[0] ?? [])
          for (const side of sides) keep(times, `${kind.table} ${side}`, await lookup(kind, side, id))
      }
      await removeExpired(db, now, kept)
      await dropOldDays(owner, now)
      const left = ((of + 1) / 24) * Number(options.secondsPerDay) * 1000 - (performance.now() - since)
      if (left > 0) await wait(left)
    }
    if (day % 3 === 2 || day === 0)
      for (const kind of kinds) for (const side of sides) await show(day, kind, side, times)
  }
  await close()
}

const keep = (times: Map<string, number[]>, name: string, time: number) =>
  times.set(name, [...(times.get(name) ?? []), time])
const nameOf = ({ table }: Kind, side: (typeof sides)[number]) => (side === 'by day' ? byDay(table) : table)

/** The rows of an hour, spread over it, and the codes among them used up; @returns some of their ids */
async function insert(kind: Kind, side: (typeof sides)[number], now: Date, turn: number): Promise<Buffer[]> {
  const table = nameOf(kind, side)
  const { rows } = await owner.query(kind.insert(table), [turn, perHour, now])
  await owner.query(kind.use(table), [turn, now])
  return rows.flatMap(({ id }) => id ?? []).slice(0, 40)
}

/** Milliseconds of a lookup by the whole key, as the portal asks. */
async function lookup(kind: Kind, side: (typeof sides)[number], id: Buffer): Promise<number> {
  const since = performance.now()
  const found = await owner.query({
    name: `${kind.table} ${side}`,
    text: kind.lookup(nameOf(kind, side)),
    values: [id],
  })
  if (found.rowCount !== 1) throw new Error(`a row of ${kind.table} is missing`)
  return performance.now() - since
}

async function show(day: number, kind: Kind, side: (typeof sides)[number], times: Map<string, number[]>) {
  const table = nameOf(kind, side)
  const { rows } = await owner.query(
    `select sum(n_live_tup)::int as living, sum(n_dead_tup)::int as dead, sum(pg_table_size(relid))::float8 as bytes,
      sum(pg_indexes_size(relid))::float8 as indexes
     from pg_stat_user_tables where relname = $1 or relname like $1 || '_d%'`,
    [table],
  )
  const [{ living, dead, bytes, indexes }] = rows
  const sorted = (times.get(`${kind.table} ${side}`) ?? []).sort((a, b) => a - b)
  const part = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)} ms`
  const mb = (size: number) => `${(size / 1024 / 1024).toFixed(1)} MB`
  console.log(
    `| ${day + 1} | ${kind.table} | ${side} | ${living} | ${dead} | ${mb(bytes)} | ${mb(indexes)} | ${part(0.5)} | ${part(0.99)} |`,
  )
}

const dataDir = mkdtempSync(join(options.folder, 'vestibule-bench-vacuum-'))
const database = await startEmbeddedPostgres({ dataDir, say: () => {} })
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
try {
  await migrate({ ownerUrl: database.ownerUrl, appRole: 'vestibule_app', say: () => {} })
  // A day lasts seconds, so that autovacuum's minute is a second here: 5 minutes of a day at 12 seconds a day.
  const postmaster = await findPostmaster(database.ownerUrl)
  appendFileSync(join(realpathSync(`/proc/${postmaster}/cwd`), 'postgresql.auto.conf'), `autovacuum_naptime = '1s'\n`)
  process.kill(postmaster, 'SIGHUP')
  await makeDays(owner)
  await play()
} finally {
  await owner.end()
  await database.stop()
  rmSync(dataDir, { recursive: true })
}
