import { fork } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import type { Writing } from './audit-process.ts'
import { type Figure, median } from './measure.ts'

const writers = 32
const seconds = 4
const rounds = 3

/** The same changes with and without an event, in turns, by one process and by two with half of the writers each. */
export async function measureAudit({ appUrl, ownerUrl }: { appUrl: string; ownerUrl: string }): Promise<Figure[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query(
    `insert into services (service_id, name, url) select gen_random_uuid(), 'Bench ' || n, 'https://bench.example'
     from generate_series(1, $1) as n returning service_id as id`,
    [writers],
  )
  const serviceIds = rows.map(({ id }) => id as string)
  const seen = { none: [] as number[], one: [] as number[], two: [] as number[] }
  let longest = 0
  const watching = setInterval(async () => {
    const found = await owner.query(
      'select coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::float8 as age from audit_events where not sealed',
    )
    longest = Math.max(longest, found.rows[0].age)
  }, 100)
  for (let round = 0; round < rounds; round++) {
    seen.none.push(await write({ url: appUrl, serviceIds, seconds, audited: false }))
    seen.one.push(await write({ url: appUrl, serviceIds, seconds, audited: true }))
    const halves = [serviceIds.slice(0, writers / 2), serviceIds.slice(writers / 2)]
    const both = halves.map((half) => write({ url: appUrl, serviceIds: half, seconds, audited: true }))
    seen.two.push((await Promise.all(both)).reduce((sum, one) => sum + one))
  }
  clearInterval(watching)
  await owner.end()
  const without = { what: 'the same without events', value: median(seen.none) }
  return [
    {
      name: 'audited changes, 32 writers',
      value: median(seen.one),
      unit: '/s',
      limit: without,
      target: { atLeast: 0.8 },
    },
    {
      name: 'audited changes, two processes',
      value: median(seen.two),
      unit: '/s',
      limit: { what: 'one process', value: median(seen.one) },
      target: { atLeast: 1 },
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
