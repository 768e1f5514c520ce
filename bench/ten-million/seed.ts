import { spawnSync } from 'node:child_process'
import pg from 'pg'
import type { Amounts } from '../../scripts/seed/amounts.ts'
import { type Lost, makeBare } from '../../scripts/seed/bare-tables.ts'
import { demoWords } from '../../scripts/seed/demo-words.ts'
import { sequences } from '../../scripts/seed/people.ts'
import { createFunctions } from '../../scripts/seed/seed-functions.ts'
import { startPortal } from '../portal.ts'
import { attachMonths, auditMonths } from './audit-months.ts'
import { mustBeEqual, readCatalogue } from './catalogue.ts'
import { noteSeeded, startKept } from './kept-cluster.ts'

/** Of a cluster that may be lost, and whose tables are filled at once. */
const whileSeeding = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  shared_buffers: '2GB',
  maintenance_work_mem: '1536MB',
  work_mem: '512MB',
  autovacuum: 'off',
  vacuum_buffer_usage_limit: '128MB',
  max_parallel_maintenance_workers: '0',
}

type Job = (client: pg.Client) => Promise<void>

const since = performance.now()
const say = (what: string) => console.log(`${((performance.now() - since) / 1000).toFixed(0)} s: ${what}`)

/** How much stands beside so many people: one organisation for a hundred, and four memberships and services for each. */
const amountsOf = (people: number): Amounts => ({
  users: people,
  organizations: Math.max(10, Math.ceil(people / 100)),
  services: 300,
  assignments: Math.round(people * 2.88),
})

/** Does the jobs, each over one of the connections, in order. */
async function share(clients: readonly pg.Client[], jobs: readonly Job[]): Promise<void> {
  const left = [...jobs]
  await Promise.all(
    clients.map(async (client) => {
      for (let job = left.shift(); job; job = left.shift()) await job(client)
    }),
  )
}

const figuresOfDays = `
  insert into daily_figures (organization_id, day, figure, method, count)
  select organization_id, current_date - ago, 'signIn', 'password', 1 + ((hashtext(organization_id::text) & 255) + ago) % 20
  from organizations, generate_series(1, 60) as ago
  union all
  select null, current_date - ago, figure, case figure when 'signIn' then 'password' else '' end, 100000
  from generate_series(1, 60) as ago, unnest(array['signIn', 'failedSignIn', 'activePerson', 'acceptedInvitation']) as figure
  on conflict do nothing`

/** Fills the tables of a sequence, and gives them back their indexes. */
const fill =
  (sequence: ReturnType<typeof sequences>[number], lost: readonly Lost[]): Job =>
  async (client) => {
    const tables = [...new Set(sequence.map(({ table }) => table))]
    for (const { statement } of sequence) await client.query(statement)
    say(`filled ${tables.join(', ')}`)
    for (const { table, indexes } of lost.filter(({ table }) => tables.includes(table))) {
      for (const statement of indexes) await client.query(statement)
      await client.query(`vacuum (analyze) ${table}`)
      say(`indexed ${table}`)
    }
  }

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** What no connection has vacuumed with its rows, and the statistics of the whole audit log. */
async function vacuumTheRest(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(format('%I.%I', schemaname, relname), ', ') as names from pg_stat_user_tables
     where last_vacuum is null and relid not in (select oid from pg_class where relkind = 'p')
       and schemaname = 'public'`,
  )
  await client.query(`vacuum (analyze) ${rows[0]?.names}`)
  await client.query('analyze only audit_events, only audit_events_sealed')
}

/** Migrates a new cluster, loads the demo and fills it, two connections at once. Its events have no places in the chain. */
export async function seed(folder: string, people: number, events: number): Promise<void> {
  const cluster = await startKept(folder, whileSeeding)
  const clients: pg.Client[] = []
  try {
    await (await startPortal(cluster.settings)).stop()
    clients.push(await connect(cluster.ownerUrl), await connect(cluster.ownerUrl))
    const [client] = clients as [pg.Client]
    const before = await readCatalogue(client)
    const amounts = amountsOf(people)
    for (const one of clients) await createFunctions(one, { ...amounts, words: demoWords, at: new Date() })
    const { organizations, services } = amounts
    const months = await auditMonths(client, { people, organizations, services, events })
    const lost = await makeBare(client)
    say('migrated, with the demo')
    await share(clients, [
      ...sequences(amounts).map((sequence) => fill(sequence, lost)),
      ...months.map(
        (month, place): Job =>
          async (one) => {
            await month(one)
            say(`events: month ${place + 1} of ${months.length}`)
          },
      ),
    ])
    const references = lost.map((one) => one.references)
    for (const { add } of references.flat()) await client.query(add)
    await attachMonths(client)
    await share(clients, [
      ...references.map(
        (some): Job =>
          async (one) => {
            for (const { check } of some) await one.query(check)
          },
      ),
      async (one) => void (await one.query(figuresOfDays)),
    ])
    for (const { triggers } of lost) await client.query(triggers)
    say('checked all references')
    mustBeEqual(before, await readCatalogue(client))
    await vacuumTheRest(client)
    say('indexes, constraints and triggers are as the migration made them')
  } finally {
    for (const client of clients) await client.end()
    await cluster.stop()
  }
  // What is written with fsync off is on its way to the disk.
  spawnSync('sync')
  const seconds = (performance.now() - since) / 1000
  noteSeeded(folder, { people, events, seconds: Math.round(seconds) })
  say(`seeded ${people} people and ${events} events, which are not chained`)
}
