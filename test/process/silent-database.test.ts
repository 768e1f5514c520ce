import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { type FaultyLine, openFaultyLine } from './faulty-line.ts'
import { startPostgresPair } from './postgres-pair.ts'

const timeout = 60_000
let pair: Awaited<ReturnType<typeof startPostgresPair>>
let line: FaultyLine
const opened: Database[] = []

/** Two servers, of which the first one is behind a line that can go silent. */
async function startPair() {
  pair = await startPostgresPair()
  line = await openFaultyLine(pair.primaryUrl)
  const [first, second] = [new URL(line.urlOf(pair.primaryUrl)), new URL(pair.replicaUrl)]
  return {
    first: first.href,
    both: `postgres://postgres@${first.host},${second.host}/postgres?target_session_attrs=read-write`,
  }
}
const open = (url: string, statementTimeout: number) => {
  const database = openDatabase({ url, statementTimeout })
  opened.push(database)
  return database
}
/** So many connections wait in the pool. */
async function use(database: Database, count: number) {
  await Promise.all(Array.from({ length: count }, () => database.pool.query('select pg_sleep(0.2)')))
  expect(database.pool.idleCount).toBe(count)
}
afterEach(async () => {
  await line?.close()
  await Promise.all(opened.splice(0).map(({ close }) => close()))
  pair?.stop()
})

test('when one connection gets no answer, those that wait unused are not tried one after the other', {
  timeout,
}, async () => {
  const { first } = await startPair()
  const database = open(first, 1)
  await use(database, 5)
  line.silence()
  // Whatever a transaction does afterwards, it fails because the database says nothing.
  await expect(inTransaction(database.db, (trx) => sql`select 1`.execute(trx))).rejects.toMatchObject({ status: 503 })
  await expect.poll(() => database.pool.totalCount, { timeout: 1000 }).toBe(0)
  line.mend()
  await use(database, 2)
})

test('connections to a primary that went silent end as soon as another server is the primary', {
  timeout,
}, async () => {
  const { both } = await startPair()
  // Of jobs, which wait for a minute.
  const [jobs, requests] = [open(both, 60), open(both, 1)]
  await use(jobs, 2)
  line.silence()
  const unanswered = jobs.pool.query('select 1').then(
    () => 'answered',
    (error: Error) => error.message,
  )
  pair.promote()
  const since = performance.now()
  await expect.poll(() => requests.pool.query('select 1').then(({ rowCount }) => rowCount, String)).toBe(1)
  expect(await unanswered).toMatch(/primary|terminated/)
  expect(performance.now() - since).toBeLessThan(8000)
  await jobs.pool.query('select 1')
})

test('connections that begin together ask each server once', { timeout }, async () => {
  const { both } = await startPair()
  const replica = open(pair.replicaUrl, 1)
  const sessions = async () => {
    const { rows } = await replica.pool.query(
      `select pg_stat_force_next_flush(), pg_stat_clear_snapshot(), sessions from pg_stat_database where datname = 'postgres'`,
    )
    return Number(rows[0].sessions)
  }
  const before = await sessions()
  await use(open(both, 1), 8)
  await expect.poll(sessions).toBeGreaterThan(before)
  expect((await sessions()) - before).toBeLessThan(4)
})
