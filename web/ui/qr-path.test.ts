import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrPath } from './qr-path.ts'

const text = `bankid.67df3917-fa0d-44e5-b327-edcc928297f8.0.${'d'.repeat(64)}`

/** Paints the path as a browser would, module by module. */
function painted(size: number, path: string): boolean[][] {
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x = '', y = '', length = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let at = 0; at < Number(length); at++) {
      const row = modules[Number(y)]
      expect(row?.[Number(x) + at]).toBe(false)
      if (row) row[Number(x) + at] = true
    }
  return modules
}

test('the path paints the code, with four free modules around it', () => {
  const { size, path } = qrPath(text)
  expect(path.replaceAll(/M\d+ \d+h(\d+)v1h-\1z/g, '')).toBe('')
  expect(painted(size, path)).toEqual(encode(text, { ecc: 'L', border: 4 }).data)
})

test('the code of a BankID order has one size, however long it is shown', () => {
  const sizes = [0, 9, 10, 99, 179].map((second) => qrPath(text.replace('.0.', `.${second}.`)).size)
  expect(new Set(sizes)).toEqual(new Set([49]))
})
