// `npm run bench:audit`: the check and the exports of an audit log with many sealed events.
// Usage: npm run bench:audit -- [--events 1000000]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { createBrowser, signIn } from './browser.ts'
import { budget, type Figure, table } from './measure.ts'
import { type BenchPortal, startPortal } from './portal.ts'

const root = join(import.meta.dirname, '..')
const batch = 50_000

/** Changes and sign-ins of the demo's people, sealed as a running portal seals them. */
async function seedSealedEvents(ownerUrl: string, events: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  for (let from = 0; from < events; from += batch) {
    await client.query(
      `insert into audit_events (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
       select gen_random_uuid(), case when n % 3 = 0 then 'updateUser' else 'loginSuccess' end, account_id, email,
         account_id::text, email, array(select organization_id from memberships m where m.account_id = u.account_id),
         case when n % 3 = 0
           then '[{"property": "phoneNumber", "previousValue": "+46701740605", "newValue": "+46701740606"}]'
           else '[{"property": "method", "previousValue": null, "newValue": "password"},
             {"property": "address", "previousValue": null, "newValue": "192.0.2.0/24"}]' end::jsonb,
         gen_random_uuid()::text, now() - make_interval(secs => $1 - n)
       from generate_series($2::integer, $3::integer - 1) as n
         join (select *, row_number() over (order by email) - 1 as turn, count(*) over () as people from users) u
           on turn = n % people`,
      [events, from, Math.min(from + batch, events)],
    )
    for (;;) {
      const { rows } = await client.query('select seal_audit_events(5000) as sealed')
      if (
        rows[0].sealed === 0 &&
        (await client.query('select 1 from audit_events where not sealed limit 1')).rowCount === 0
      )
        break
    }
  }
  await client.query('vacuum (analyze) audit_events')
  await client.query('vacuum (analyze) audit_chain')
  await client.end()
}

/** Seconds of `npm run admin -- audit verify`, its start included. */
async function measureVerify(settings: Record<string, string>): Promise<number> {
  const since = performance.now()
  const verify = spawn(process.execPath, ['server/admin.ts', 'audit', 'verify'], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(verify, 'exit')
  if (code !== 0) throw new Error('the audit log was not intact')
  return (performance.now() - since) / 1000
}

/** Seconds of an export, and the most memory that the portal took in its first tenth and until its end. */
async function measureExport(
  portal: BenchPortal,
  { cookie, path, events }: { cookie: string; path: string; events: number },
) {
  let lines = 0
  const memory = { first: await portal.memory(), most: 0 }
  const watching = setInterval(async () => {
    const now = await portal.memory()
    if (lines < events / 10) memory.first = Math.max(memory.first, now)
    memory.most = Math.max(memory.most, now)
  }, 100)
  const since = performance.now()
  const response = await fetch(portal.url + path, { headers: { cookie } })
  for await (const part of response.body ?? []) for (const byte of part) if (byte === 10) lines++
  clearInterval(watching)
  return { seconds: (performance.now() - since) / 1000, lines, memory }
}

async function run(events: number): Promise<void> {
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, load ${load}`,
  )
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-audit-'))
  const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  const settings = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR: folder }
  try {
    await (await startPortal(settings)).stop()
    await seedSealedEvents(database.ownerUrl, events)
    const figures: Figure[] = [
      budget(`audit verify, ${events} events`, await measureVerify(settings), 's', (20 * events) / 1e6),
    ]
    const portal = await startPortal(settings)
    try {
      const browser = createBrowser(portal.url)
      await signIn(browser, 'super@vestibule.example', 'Demo-password-1')
      const cookie = browser.cookieHeader('/api/')
      const paths = { CSV: '/api/audit-events/export', 'JSON Lines': '/api/audit-events/export-lines' }
      for (const [name, path] of Object.entries(paths)) {
        const { seconds, lines, memory } = await measureExport(portal, { cookie, path, events })
        if (lines < events) throw new Error(`${name}: only ${lines} lines`)
        figures.push(budget(`${name} export, ${events} events`, seconds, 's', (60 * events) / 1e6))
        figures.push({
          name: `memory during the ${name} export, without PostgreSQL`,
          value: memory.most,
          unit: 'MB',
          limit: { what: 'in its first tenth', value: memory.first },
          target: { atMost: 1.2 },
        })
      }
    } finally {
      await portal.stop()
    }
    console.log(`\n${table(figures)}`)
  } finally {
    const cluster = realpathSync(join(folder, 'postgres'))
    await database.stop()
    for (const place of [cluster, folder]) rmSync(place, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } })
await run(Number(values.events))
