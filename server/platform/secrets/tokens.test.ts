import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '../ids.ts'
import type { Key, Keys } from './keys.ts'
import {
  allCodeHashes,
  deriveToken,
  generateCode,
  generateToken,
  hashCode,
  parseDerivedTokenId,
  verifyDerivedToken,
} from './tokens.ts'

const key = (fill: number, state: Key['state']): Key => {
  const bytes = Buffer.alloc(32, fill)
  return { id: newId(), state, bytes, secret: createSecretKey(bytes) }
}
/** Keys as they are in memory; the table behind them is the business of keys.test.ts. */
const keysOf = (...all: Key[]): Keys => ({
  all: () => all,
  current: () => all[0] as Key,
  find: async () => undefined,
  signing: () => [],
  decrypting: () => [],
  masterKeys: [],
  generation: 0,
  reload: async () => {},
  close: () => {},
})
const keys = keysOf(key(1, 'current'))
const row = { purpose: 'invitation', id: newId(), version: 1 }

test('a derived token is the same each time it is shown, and says which row to load', () => {
  expect(deriveToken(keys, row)).toBe(deriveToken(keys, row))
  expect(parseDerivedTokenId(deriveToken(keys, row))).toBe(row.id)
  expect(verifyDerivedToken(keys, row, deriveToken(keys, row))).toBe(true)
})

test('a raised version, another row, another purpose or another key revokes it', () => {
  const token = deriveToken(keys, row)
  for (const other of [{ version: 2 }, { id: newId() }, { purpose: 'resetPassword' }])
    expect(verifyDerivedToken(keys, { ...row, ...other }, token)).toBe(false)
  expect(verifyDerivedToken(keysOf(key(2, 'current')), row, token)).toBe(false)
})

test('a token shown before a rotation opens after it', () => {
  const rotated = keysOf(key(2, 'current'), key(1, 'previous'))
  expect(verifyDerivedToken(rotated, row, deriveToken(keys, row))).toBe(true)
  expect(deriveToken(rotated, row)).not.toBe(deriveToken(keys, row))
})

test('an invalid token finds no row and opens nothing', () => {
  const token = deriveToken(keys, row)
  const [id, mac] = token.split('.')
  for (const forged of [
    '',
    '.',
    token.slice(1),
    `${token}x`,
    `${id}.`,
    `${id}.${'A'.repeat(43)}`,
    `${newId().replaceAll('-', '')}.${mac}`,
    token.toUpperCase(),
  ])
    expect(verifyDerivedToken(keys, row, forged), forged).toBe(false)
  expect(parseDerivedTokenId(`${row.id}.${mac}`)).toBeUndefined()
})

test('random tokens have 256 bits and codes six digits, each digit as likely as the others', () => {
  expect(generateToken()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(new Set(Array.from({ length: 1000 }, generateToken)).size).toBe(1000)
  const first = Array.from({ length: 20_000 }, () => generateCode()[0])
  // Binomial with mean 2000 and deviation 42: six deviations either side fail once in half a billion runs.
  for (const digit of '0123456789')
    expect(Math.abs(first.filter((one) => one === digit).length - 2000)).toBeLessThan(255)
})

test('the same digits are another code for another person, purpose or key', () => {
  const owner = { purpose: 'loginCode', subject: 'a' }
  const hash = hashCode(keys, owner, '123456')
  expect(hash.equals(hashCode(keys, { ...owner, subject: 'b' }, '123456'))).toBe(false)
  expect(hash.equals(hashCode(keys, { ...owner, purpose: 'x' }, '123456'))).toBe(false)
  expect(hash.equals(hashCode(keysOf(key(2, 'current')), owner, '123456'))).toBe(false)
  expect(
    allCodeHashes(keysOf(key(2, 'current'), key(1, 'previous')), owner, '123456').some((one) => one.equals(hash)),
  ).toBe(true)
})
