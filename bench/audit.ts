import { fork } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import type { Writing } from './audit-process.ts'
import { type Figure, inTurns } from './measure.ts'

const writers = 32
const seconds = 3
const rounds = 5

/** The same changes with and without an event, each by one process and by two with half of the writers. */
export async function measureAudit({ appUrl, ownerUrl }: { appUrl: string; ownerUrl: string }): Promise<Figure[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(
    `insert into services (service_id, name, url) select gen_random_uuid(), 'Bench ' || n, 'https://bench.example'
     from generate_series(1, $1) as n returning service_id as id`,
    [writers],
  )
  const serviceIds = rows.map(({ id }) => id as string)
  const halves = [serviceIds.slice(0, writers / 2), serviceIds.slice(writers / 2)]
  let longest = 0
  const watching = setInterval(async () => {
    const found = await owner.query(
      'select coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::float8 as age from audit_events where not sealed',
    )
    longest = Math.max(longest, found.rows[0].age)
  }, 100)
  const changes = (audited: boolean, parts: string[][]) => async () => {
    const all = await Promise.all(parts.map((part) => write({ url: appUrl, serviceIds: part, seconds, audited })))
    return all.reduce((sum, one) => sum + one)
  }
  const seen = await inTurns(rounds, {
    without: changes(false, [serviceIds]),
    withoutByTwo: changes(false, halves),
    one: changes(true, [serviceIds]),
    two: changes(true, halves),
  })
  clearInterval(watching)
  await owner.end()
  return [
    {
      name: 'audited changes, 32 writers',
      value: seen.one,
      unit: '/s',
      limit: { what: 'the same without events', value: seen.without },
      target: { atLeast: 0.8 },
    },
    {
      name: 'audited changes, two processes',
      value: seen.two,
      unit: '/s',
      limit: { what: 'one process', value: seen.one },
      target: { atLeast: 1 },
    },
    {
      name: 'the same without events, two processes',
      value: seen.withoutByTwo,
      unit: '/s',
      limit: { what: 'one process', value: seen.without },
      target: 'none',
    },
    {
      name: 'the oldest event without a place in the chain',
      value: longest,
      unit: 's',
      limit: { what: 'budget', value: 1 },
      target: { atMost: 1 },
    },
  ]
}

function write(writing: Writing): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'audit-process.ts'))
    child.once('message', (perSecond) => resolve(perSecond as number))
    child.once('exit', (code) => reject(new Error(`a writer ended with ${code}`)))
    child.send(writing)
  })
}
