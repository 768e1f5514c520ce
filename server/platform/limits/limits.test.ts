import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { newId } from '../ids.ts'
import { limitRules } from '../limit-rules.ts'
import { Problem } from '../problem.ts'
import { createLimits, type LimitKey } from './limits.ts'

let database: ConnectedDatabase
let now: Date
let key: string
const limits = createLimits()
const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
/** 0 when it was counted, else the seconds to wait. */
const attempt = async (...keys: LimitKey[]) => {
  try {
    await limits.take(database.db, keys, now)
    return 0
  } catch (error) {
    if (error instanceof Problem && error.status === 429 && error.key === 'tooManyRequests') return error.retryAfter
    throw error
  }
}
const attempts = async (times: number, ...keys: LimitKey[]) => {
  const results: (number | undefined)[] = []
  for (let time = 0; time < times; time++) results.push(await attempt(...keys))
  return results
}

beforeAll(async () => {
  database = await connectTestDatabase()
})
beforeEach(() => {
  now = new Date('2026-11-21T08:00:00Z')
  key = newId()
})
afterAll(() => database.close())

test('thirty auth type look-ups in a minute pass, the next is refused until the minute is over', async () => {
  const limit = { name: 'authType', key } as const
  expect(await attempts(30, limit)).toEqual(Array(30).fill(0))
  wait(20)
  expect(await attempt(limit)).toBe(40)
  wait(39)
  expect(await attempt(limit)).toBe(1)
  wait(1)
  expect(await attempts(30, limit)).toEqual(Array(30).fill(0))
})

test('five wrong passwords are free, then the pause doubles from a second to fifteen minutes', async () => {
  const limit = { name: 'wrongPassword', key } as const
  expect(await attempts(5, limit)).toEqual([0, 0, 0, 0, 0])
  for (const pause of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    expect(await attempt(limit)).toBe(pause)
    wait(pause)
    expect(await attempt(limit)).toBe(0)
  }
})

test('an attempt during a pause is not counted further', async () => {
  const limit = { name: 'wrongPassword', key } as const
  await attempts(5, limit)
  expect(await attempts(50, limit)).toEqual(Array(50).fill(1))
  wait(1)
  expect(await attempts(2, limit)).toEqual([0, 2])
})

test('an account is never locked for good: quiet time gives everything back', async () => {
  const limit = { name: 'wrongPasswordAccount', key } as const
  expect(await attempts(11, limit)).toEqual([...Array(10).fill(0), 60])
  wait(60)
  expect(await attempts(2, limit)).toEqual([0, 120])
  wait(120 + 15 * 60)
  expect(await attempts(10, limit)).toEqual(Array(10).fill(0))
})

test('of fifty concurrent wrong passwords five are checked', async () => {
  const limit = { name: 'wrongPassword', key } as const
  const results = await Promise.all(Array.from({ length: 50 }, () => attempt(limit)))
  expect(results.filter((seconds) => seconds === 0)).toHaveLength(5)
})

test('when one limit refuses, the others are not charged', async () => {
  const address = { name: 'addressFailures', key } as const
  const account = { name: 'codeSend', key } as const
  expect(await attempts(10, address, account)).toEqual([0, ...Array(9).fill(30)])
  expect(await attempts(20, address)).toEqual([...Array(19).fill(0), 300])
})

test('of ten concurrent first requests one is counted, and the others neither are nor block', async () => {
  for (let round = 0; round < 20; round++) {
    const address = { name: 'addressFailures', key: newId() } as const
    const account = { name: 'codeSend', key: newId() } as const
    const results = await Promise.all(Array.from({ length: 10 }, () => attempt(address, account)))
    expect(results.sort((a = 0, b = 0) => a - b)).toEqual([0, ...Array(9).fill(30)])
    expect(await attempts(20, address)).toEqual([...Array(19).fill(0), 300])
  }
})

test('a second rule of a limit counts along: one code in thirty seconds, five in an hour', async () => {
  const limit = { name: 'codeSend', key } as const
  for (let sent = 0; sent < 5; sent++) {
    expect(await attempt(limit)).toBe(0)
    expect(await attempt(limit)).toBe(sent < 4 ? 30 : 3600 - 4 * 30)
    wait(30)
  }
  expect(await attempt(limit)).toBe(3600 - 5 * 30)
})

test('the event that exhausts a limit is reported once', async () => {
  const limit = { name: 'wrongCode', key } as const
  const told = []
  for (let time = 0; time < 20; time++) told.push((await limits.take(database.db, [limit], now)).usedUp)
  expect(told).toEqual([...Array(19).fill([]), ['wrongCode']])
})

test('a success resets only its own pair', async () => {
  const [mine, other] = [{ name: 'wrongPassword', key } as const, { name: 'wrongPassword', key: newId() } as const]
  await attempts(5, mine)
  await attempts(5, other)
  await limits.forget(database.db, [mine])
  expect(await attempts(5, mine)).toEqual([0, 0, 0, 0, 0])
  expect(await attempt(other)).toBe(1)
})

test('an attempt that did not fail is refunded', async () => {
  const limit = { name: 'addressFailures', key } as const
  for (let time = 0; time < 60; time++) {
    expect(await attempt(limit)).toBe(0)
    await limits.refund(database.db, [limit], now)
  }
  expect(await attempts(21, limit)).toEqual([...Array(20).fill(0), 300])
  await limits.refund(database.db, [limit], now)
  expect(await attempt(limit)).toBe(0)
})

test('a success after many failures of others lifts the pause that it caused itself', async () => {
  const limit = { name: 'wrongPasswordAccount', key } as const
  await attempts(10, limit)
  wait(60)
  expect(await attempt(limit)).toBe(0)
  await limits.refund(database.db, [limit], now)
  expect(await attempts(2, limit)).toEqual([0, 120])
})

test('many requests that count the same rows in different orders never deadlock', async () => {
  const keys: LimitKey[] = (['authType', 'resetRequest', 'tokenLookup', 'addressFailures'] as const).map((name) => ({
    name,
    key,
  }))
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, turn) => attempt(...[...keys.slice(turn % 4), ...keys.slice(0, turn % 4)])),
  )
  expect(results.filter((seconds) => seconds === 0)).toHaveLength(limitRules.resetRequest.points)
})

test('counting in a transaction is refused, because a rollback would forget it', async () => {
  const inside = database.db.transaction().execute((db) => limits.take(db, [{ name: 'authType', key }], now))
  await expect(inside).rejects.toThrow('outside transactions')
})

test('a setting replaces the numbers', async () => {
  const strict = createLimits({ ...limitRules, authType: { points: 1, seconds: 10 } })
  await strict.take(database.db, [{ name: 'authType', key }], now)
  await expect(strict.take(database.db, [{ name: 'authType', key }], now)).rejects.toMatchObject({ retryAfter: 10 })
})

test('the table contains no personal data', async () => {
  await limits.take(database.db, [{ name: 'authType', key: '192.0.2.77' }], now)
  expect(JSON.stringify(await database.db.selectFrom('limits').selectAll().execute())).not.toContain('192.0.2.77')
})
