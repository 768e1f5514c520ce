import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { openDatabase } from './database.ts'
import { newId } from './ids.ts'
import { limitRowKey } from './limits.ts'
import { createUsage } from './usage.ts'

let database: ConnectedDatabase
let accountId: string
let session: string
const now = new Date('2026-11-21T08:00:10Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const start = () => createUsage({ db: database.db })
const many = (usage: ReturnType<typeof start>, times: number, at = now) =>
  Array.from({ length: times }, () => usage.count(session, accountId, at))
const lastActive = () =>
  database.db.selectFrom('users').select('lastActive').where('accountId', '=', accountId).executeTakeFirstOrThrow()

beforeAll(async () => {
  database = await connectTestDatabase()
})
beforeEach(async () => {
  // Only what a test asks for is merged: the merge by itself comes a second later by the machine's clock.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true })
  accountId = newId()
  session = newId()
  const name = { firstName: 'Test', lastName: 'Test' }
  await database.db
    .insertInto('users')
    .values({ accountId, email: `${accountId}@vestibule.example`, loginMethod: 'local', ...name })
    .execute()
})
afterAll(() => {
  vi.useRealTimers()
  return database.close()
})

test('a session makes 300 calls a minute and is told when the minute is over', () => {
  const usage = start()
  expect(many(usage, 301)).toEqual([...Array(300).fill(0), 50])
  expect(usage.count(session, accountId, after(49.5))).toBe(1)
  expect(usage.count(newId(), accountId, now)).toBe(0)
  expect(usage.count(session, accountId, after(50))).toBe(0)
})

test('several processes share the count from one merge to the next', async () => {
  const [one, two] = [start(), start()]
  many(one, 200)
  many(two, 99)
  await one.flush()
  await two.flush()
  expect(many(two, 2)).toEqual([0, 50])
  many(one, 1)
  await one.flush()
  expect(many(one, 1)).toEqual([50])
})

test('a restart forgets nothing that was merged', async () => {
  const before = start()
  many(before, 300)
  await before.close()
  const restarted = start()
  many(restarted, 1)
  await restarted.flush()
  expect(many(restarted, 1)).toEqual([50])
})

test('counting makes no query, and a hundred sessions are merged by one', async () => {
  let queries = 0
  database.pool.on('acquire', () => queries++)
  const usage = start()
  for (let each = 0; each < 100; each++) usage.count(newId(), accountId, now)
  expect(queries).toBe(0)
  await usage.flush()
  expect(queries).toBe(1)
  await usage.flush()
  expect(queries).toBe(1)
})

test('an account is stamped as active, at most once a minute, and never backwards', async () => {
  const usage = start()
  usage.count(session, accountId, now)
  await usage.flush()
  expect(await lastActive()).toEqual({ lastActive: now })
  usage.count(session, accountId, after(59))
  await usage.flush()
  expect(await lastActive()).toEqual({ lastActive: now })
  usage.count(session, accountId, after(60))
  await usage.flush()
  expect(await lastActive()).toEqual({ lastActive: after(60) })
  const slowNode = start()
  slowNode.count(newId(), accountId, after(-30))
  await slowNode.flush()
  expect(await lastActive()).toEqual({ lastActive: after(60) })
})

test('a user row that somebody works on delays nobody', async () => {
  const usage = start()
  await database.db.transaction().execute(async (db) => {
    await db.updateTable('users').set({ firstName: 'Other' }).where('accountId', '=', accountId).execute()
    usage.count(session, accountId, now)
    await usage.flush()
  })
  expect(await lastActive()).toEqual({ lastActive: null })
})

test('calls that could not be merged are merged the next time', async () => {
  const owner = openDatabase({ url: database.ownerUrl, size: 1 })
  const usage = start()
  many(usage, 250)
  await owner.pool.query('alter table limits rename to limits_elsewhere')
  await expect(usage.flush()).rejects.toThrow('relation "limits" does not exist')
  await owner.pool.query('alter table limits_elsewhere rename to limits')
  await owner.close()
  expect(many(usage, 51)).toEqual([...Array(50).fill(0), 50])
  await usage.flush()
  const { count } = await database.db
    .selectFrom('limits')
    .select('count')
    .where('key', '=', limitRowKey('api', session))
    .executeTakeFirstOrThrow()
  expect(count).toBe(300)
  expect(await lastActive()).toEqual({ lastActive: now })
})

test('calls on both sides of a minute are merged together', async () => {
  const usage = start()
  many(usage, 3, after(49.9))
  many(usage, 300, after(50.1))
  await usage.flush()
  expect(many(usage, 1, after(50.2))).toEqual([60])
})
