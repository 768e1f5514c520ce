import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type LeakedPasswords, openLeakedPasswords } from './leaked-passwords.ts'

const folder = mkdtempSync(join(tmpdir(), 'leaked-'))
const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const leaked = Array.from({ length: 3000 }, (_, index) => `Leaked-${index}`)

/** @param lineOf a line of the file; how long it is differs from one to the next */
async function fileOf(lineOf: (hash: string, index: number) => string, passwords = leaked): Promise<LeakedPasswords> {
  const path = join(folder, 'leaked.txt')
  writeFileSync(path, passwords.map(sha1).sort().map(lineOf).join('\n'))
  return openLeakedPasswords(path)
}

afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['hashes with counts, as published', (hash: string, index: number) => `${hash}:${7 ** (index % 9)}`],
  ['hashes alone, in small letters', (hash: string) => hash.toLowerCase()],
  ['the first digits of hashes, with carriage returns', (hash: string) => `${hash.slice(0, 16)}\r`],
])('every leaked password is found in a file of %s, and no other', async (_, lineOf) => {
  const file = await fileOf(lineOf)
  const sorted = leaked.toSorted((one, other) => (sha1(one) < sha1(other) ? -1 : 1))
  // The first and the last lines, and some between.
  for (const password of sorted.filter((_, index) => index % 11 === 0 || index < 5 || index > 2994))
    expect([password, await file.has(password)]).toEqual([password, true])
  for (let index = 0; index < 200; index++) expect(await file.has(`Unknown-${index}`)).toBe(false)
  await file.close()
})

test('the smallest files are searched too', async () => {
  for (const passwords of [[], ['Leaked-1'], ['Leaked-1', 'Leaked-2']]) {
    const file = await fileOf((hash) => hash, passwords)
    for (const password of passwords) expect(await file.has(password)).toBe(true)
    expect(await file.has('Unknown')).toBe(false)
    await file.close()
  }
})

test('without a file no password has leaked, and a file that is not there is an error', async () => {
  expect(await (await openLeakedPasswords(undefined)).has('Password1!')).toBe(false)
  await expect(openLeakedPasswords(join(folder, 'missing.txt'))).rejects.toThrow('ENOENT')
})
