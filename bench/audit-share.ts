// `npm run bench:audit-share`: what the event of a change costs in time and in WAL, and what it would cost in a database of its own.
// Usage: npm run bench:audit-share -- [--changes 3000] [--rounds 5]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { median } from './measure.ts'

const { values: options } = parseArgs({
  options: { changes: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
})
const changes = Number(options.changes)
const update = `update services set name = 'Bench ' || $1::text, version = version + 1 where name like 'Bench%'`
const event = `insert into audit_events (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
  values (gen_random_uuid(), 'updateService', gen_random_uuid(), 'anna@nordvik.example', 'a-service', 'Bench', '{}',
    jsonb_build_array(jsonb_build_object('property', 'name', 'previousValue', 'Bench', 'newValue', $1::text)), 'request', now())`

const folders = ['one', 'other'].map((name) => mkdtempSync(join(tmpdir(), `vestibule-bench-${name}-`)))
const [one, other] = (await Promise.all(
  folders.map(async (dataDir) => {
    const database = await startEmbeddedPostgres({ dataDir, say: () => {} })
    await migrate({ ownerUrl: database.ownerUrl, appRole: 'vestibule_app', say: () => {} })
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    return { client, database }
  }),
)) as [Side, Side]
interface Side {
  client: pg.Client
  database: Awaited<ReturnType<typeof startEmbeddedPostgres>>
}
await one.client.query(
  `insert into services (service_id, name, url) values (gen_random_uuid(), 'Bench 0', 'https://bench.example')`,
)

const run = ({ client }: Side, name: string, text: string, n: number) => client.query({ name, text, values: [n] })
const seal = async ({ client }: Side) => {
  while ((await client.query('select seal_audit_events(2000) as sealed')).rows[0].sealed > 0);
}
const within = async (side: Side, work: () => Promise<unknown>) => {
  await side.client.query('begin')
  await work()
  await side.client.query('commit')
}
const ways: Record<string, (n: number) => Promise<unknown>> = {
  'a change without an event': (n) => within(one, () => run(one, 'update', update, n)),
  'with its event in the transaction': (n) =>
    within(one, async () => {
      await run(one, 'update', update, n)
      await run(one, 'event', event, n)
    }),
  'with an event in another database, committed before': async (n) => {
    await one.client.query('begin')
    await run(one, 'update', update, n)
    await within(other, () => run(other, 'event', event, n))
    await one.client.query('commit')
  },
  'with an outbox here, and the event in another database later': async (n) => {
    await within(one, async () => {
      await run(one, 'update', update, n)
      await run(one, 'event', event, n)
    })
    await within(other, () => run(other, 'event', event, n))
  },
}
const walOf = async ({ client }: Side) =>
  Number((await client.query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)).rows[0].bytes)

try {
  const seen = Object.fromEntries(Object.keys(ways).map((name) => [name, { time: [], wal: [], sealing: [] } as Seen]))
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [name, way] of Object.entries(ways)) await measure(way, seen[name] as Seen)
  console.log('| | time | WAL | WAL of sealing | beside no event: time | WAL |\n|---|---|---|---|---|---|')
  const base = Object.values(seen)[0] as Seen
  for (const [name, { time, wal, sealing }] of Object.entries(seen)) {
    const ratio = (values: number[], than: number[]) => (median(values) / median(than)).toFixed(2)
    const all = wal.map((bytes, at) => bytes + (sealing[at] ?? 0))
    console.log(
      `| ${name} | ${median(time).toFixed(3)} ms | ${Math.round(median(wal))} B | ${Math.round(median(sealing))} B | ${ratio(time, base.time)} | ${ratio(all, base.wal)} |`,
    )
  }
} finally {
  for (const { client, database } of [one, other]) {
    await client.end()
    await database.stop()
  }
  for (const folder of folders) rmSync(folder, { recursive: true })
}

interface Seen {
  time: number[]
  wal: number[]
  sealing: number[]
}

/** Of one change: milliseconds, and bytes of WAL in both databases, before and by the sealing. */
async function measure(way: (n: number) => Promise<unknown>, { time, wal, sealing }: Seen): Promise<void> {
  const written = async () => (await walOf(one)) + (await walOf(other))
  const before = await written()
  const since = performance.now()
  for (let n = 0; n < changes; n++) await way(n)
  time.push((performance.now() - since) / changes)
  const after = await written()
  wal.push((after - before) / changes)
  await seal(one)
  await seal(other)
  sealing.push(((await written()) - after) / changes)
}
