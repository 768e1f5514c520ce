import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalizedSsn } from '#contract/fields/ssn-rules.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { UnsealError } from './envelope.ts'
import { type Keys, openKeys } from './keys.ts'
import { deriveMasterKey } from './master-key.ts'
import { readKeyId, seal, unseal } from './sealing.ts'
import { indexSsn, maskSsn, sealSsn, unsealSsn } from './ssn.ts'

let database: ConnectedDatabase
let keys: Keys
const cell = { table: 'users', column: 'ssn_sealed', row: 'a' }

beforeAll(async () => {
  database = await connectTestDatabase()
  const masterKey = deriveMasterKey('a master key for tests, long enough to be one')
  keys = await openKeys({ db: database.db, masterKey, clock: () => new Date() })
})
afterAll(async () => {
  keys.close()
  await database.close()
})

test('a sealed value opens in its own cell and nowhere else', async () => {
  const sealed = seal(keys, 'fields', cell, 'Åsa')
  expect((await unseal(keys, cell, sealed)).toString()).toBe('Åsa')
  for (const elsewhere of [{ row: 'b' }, { column: 'phone' }, { table: 'clients' }])
    await expect(unseal(keys, { ...cell, ...elsewhere }, sealed)).rejects.toThrow(UnsealError)
  // Where one name ends and the next begins is part of the place.
  const shifted = seal(keys, 'fields', { table: 'ab', column: 'c', row: 'd' }, 'x')
  await expect(unseal(keys, { table: 'a', column: 'bc', row: 'd' }, shifted)).rejects.toThrow(UnsealError)
})

test('no changed byte goes unnoticed, and a cut value is refused', async () => {
  const sealed = seal(keys, 'fields', cell, 'text')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(unseal(keys, cell, changed), `byte ${at}`).rejects.toThrow(UnsealError)
  }
  // Bytes that name no key at all.
  await expect(unseal(keys, cell, Buffer.alloc(60, 1))).rejects.toThrow(UnsealError)
  for (const length of [0, 1, 17, 40])
    await expect(unseal(keys, cell, sealed.subarray(0, length))).rejects.toThrow(UnsealError)
})

test('the same text never seals to the same bytes', () => {
  expect(seal(keys, 'fields', cell, 'x').equals(seal(keys, 'fields', cell, 'x'))).toBe(false)
  expect(readKeyId(seal(keys, 'outbox', cell, ''))).toBe(keys.current('outbox').id)
})

test("a person's number cannot be moved to another account, and its index depends on the number alone", async () => {
  const { ssnSealed, ssnIndex } = sealSsn(keys, 'account-a', '19121212-1212')
  expect(await unsealSsn(keys, 'account-a', ssnSealed)).toBe('191212121212')
  await expect(unsealSsn(keys, 'account-b', ssnSealed)).rejects.toThrow(UnsealError)
  expect(ssnIndex.equals(indexSsn(keys, '191212121212'))).toBe(true)
  expect(ssnIndex.equals(indexSsn(keys, '199908072391'))).toBe(false)
})

test('a number is shown as a date of birth at most', () => {
  expect(maskSsn('191212121212')).toBe('19121212-****')
  expect(maskSsn('19121212-1212')).toBe('19121212-****')
  expect(maskSsn('Placeholder 7')).toBe('placeholder')
  expect(maskSsn('1212')).toBe('****')
  expect(normalizedSsn(' placeholder-A')).toBe('placeholder-a')
})
