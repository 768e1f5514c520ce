import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { type Keys, openKeys } from './keys.ts'
import { deriveMasterKey } from './master-key.ts'
import {
  consumeToken,
  issueCode,
  issueToken,
  peekToken,
  recordOnce,
  revokeTokens,
  verifyCode,
} from './one-time-tokens.ts'

let database: ConnectedDatabase
let keys: Keys
let now: Date
const purpose = 'resetPassword'
const minute = 60_000
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const ticket = (subject = 'a') =>
  issueToken(database.db, { purpose, subject, now, expiresAt: after(minute), data: { n: 1 } })
const twenty = <Result>(attempt: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, attempt))

beforeAll(async () => {
  database = await connectTestDatabase()
  const masterKey = deriveMasterKey('a master key for tests, long enough to be one')
  keys = await openKeys({ db: database.db, masterKey, clock: () => new Date() })
})
beforeEach(() => {
  now = new Date('2026-11-21T08:00:00Z')
})
afterAll(async () => {
  keys.close()
  await database.close()
})

test('of twenty concurrent uses of a ticket exactly one succeeds', async () => {
  const token = await ticket()
  const won = (await twenty(() => consumeToken(database.db, { purpose, token, now }))).filter((opened) => opened)
  expect(won).toEqual([{ subject: 'a', data: { n: 1 } }])
})

test('the token is not in the database', async () => {
  const token = await ticket()
  const rows = await database.db.selectFrom('oneTimeThings').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows.some((row) => row.tokenHash.toString('base64url') === token)).toBe(false)
})

test('peeking consumes nothing', async () => {
  const token = await ticket()
  for (let look = 0; look < 3; look++) expect(await peekToken(database.db, { purpose, token, now })).toBeDefined()
  expect(await consumeToken(database.db, { purpose, token, now })).toBeDefined()
  expect(await peekToken(database.db, { purpose, token, now })).toBeUndefined()
})

test('expiry is checked at use', async () => {
  const token = await ticket()
  expect(await peekToken(database.db, { purpose, token, now: after(minute) })).toBeUndefined()
  expect(await consumeToken(database.db, { purpose, token, now: after(minute) })).toBeUndefined()
  expect(await consumeToken(database.db, { purpose, token, now: after(minute - 1) })).toBeDefined()
})

test('a try with another purpose or another subject does not use up a ticket', async () => {
  const token = await ticket()
  expect(await consumeToken(database.db, { purpose: 'signInTicket', token, now })).toBeUndefined()
  expect(await consumeToken(database.db, { purpose, token, now, subject: 'b' })).toBeUndefined()
  expect(await consumeToken(database.db, { purpose, token, now, subject: 'a' })).toBeDefined()
})

test('revoking ends every ticket of a subject and no others', async () => {
  const [mine, other] = [await ticket('mine'), await ticket('other')]
  await revokeTokens(database.db, { purpose, subject: 'mine' }, now)
  expect(await consumeToken(database.db, { purpose, token: mine, now })).toBeUndefined()
  expect(await consumeToken(database.db, { purpose, token: other, now })).toBeDefined()
})

test('an assertion id is accepted once, also with concurrent requests', async () => {
  const thing = { purpose: 'samlAssertion', subject: '1', token: '_id', now, expiresAt: after(minute) }
  expect((await twenty(() => recordOnce(database.db, thing))).filter(Boolean)).toHaveLength(1)
  expect(await consumeToken(database.db, { purpose: 'samlAssertion', token: '_id', now })).toBeUndefined()
})

const codeFor = (subject: string) =>
  issueCode(database.db, keys, { purpose: 'loginCode', subject, now, expiresAt: after(10 * minute), attempts: 5 })
const guess = (subject: string, code: string, at = now) =>
  verifyCode(database.db, keys, { purpose: 'loginCode', subject, code, now: at })
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

test('a correct code works once, also with twenty concurrent tries', async () => {
  const code = await codeFor('c1')
  expect(code).toMatch(/^[0-9]{6}$/)
  expect((await twenty(() => guess('c1', code))).filter(({ right }) => right)).toHaveLength(1)
})

test('five wrong guesses kill a code, and the sixth finds nothing even when it is right', async () => {
  const code = await codeFor('c2')
  for (const attemptsLeft of [4, 3, 2, 1, 0])
    expect(await guess('c2', wrong(code))).toEqual({ right: false, attemptsLeft })
  expect(await guess('c2', code)).toEqual({ right: false, attemptsLeft: 0 })
})

test('of twenty concurrent wrong guesses five are checked', async () => {
  const code = await codeFor('c3')
  const left = (await twenty(() => guess('c3', wrong(code)))).map((result) =>
    result.right ? NaN : result.attemptsLeft,
  )
  expect(left.sort().reverse().slice(0, 5)).toEqual([4, 3, 2, 1, 0])
  expect(await guess('c3', code)).toEqual({ right: false, attemptsLeft: 0 })
})

test('the fifth guess may still be right', async () => {
  const code = await codeFor('c4')
  for (let tries = 0; tries < 4; tries++) await guess('c4', wrong(code))
  expect(await guess('c4', code)).toMatchObject({ right: true })
})

test('a new code makes the old one invalid, also when ten are sent concurrently', async () => {
  const codes = await Promise.all(Array.from({ length: 10 }, () => codeFor('c5')))
  const living = await database.db
    .selectFrom('oneTimeThings')
    .selectAll()
    .where('subject', '=', 'c5')
    .where('consumedAt', 'is', null)
    .execute()
  expect(living).toHaveLength(1)
  expect(living[0]?.attemptsLeft).toBe(5)
  expect(codes).toHaveLength(10)
})

test('a code opens nothing after ten minutes, for another person, or for another purpose', async () => {
  const code = await codeFor('c6')
  expect(await guess('c6', code, after(10 * minute))).toEqual({ right: false, attemptsLeft: 0 })
  expect(await guess('c7', code)).toEqual({ right: false, attemptsLeft: 0 })
  const elsewhere = { purpose: 'changePhone', subject: 'c6', code, now }
  expect(await verifyCode(database.db, keys, elsewhere)).toEqual({ right: false, attemptsLeft: 0 })
  expect(await guess('c6', code)).toMatchObject({ right: true })
})

test('verifying a code in a transaction is rejected, because a rollback would undo the attempt', async () => {
  const inside = database.db
    .transaction()
    .execute((db) => verifyCode(db, keys, { purpose: 'loginCode', subject: 'c8', code: '000000', now }))
  await expect(inside).rejects.toThrow('verifyCode outside transactions')
})
