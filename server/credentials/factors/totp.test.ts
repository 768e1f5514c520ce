import { describe, expect, test } from 'vitest'
import { base32, fromBase32, matchingSteps, stepAt, totp } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('codes of an authenticator app', () => {
  // RFC 6238, appendix B, the rows of SHA-1.
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %d the code is the one of RFC 6238', (seconds, code) => {
    const step = stepAt(new Date(seconds * 1000))
    expect(totp(secret, step, 8)).toBe(code)
    expect(totp(secret, step)).toBe(code.slice(2))
  })

  // RFC 4226, appendix D.
  test('the first ten codes are those of RFC 4226', () => {
    expect(Array.from({ length: 10 }, (_, step) => totp(secret, step))).toEqual(
      '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' '),
    )
  })

  test('are accepted one step early and one step late, and no further', () => {
    const now = new Date(1_234_567_890_000)
    const present = stepAt(now)
    const accepted = [-2, -1, 0, 1, 2].map((off) => matchingSteps(secret, totp(secret, present + off), now))
    expect(accepted).toEqual([[], [present - 1], [present], [present + 1], []])
  })

  test.each(['', '12345', '1234567', 'ååå', '      '])('%j is no code', (code) => {
    expect(matchingSteps(secret, code, new Date(59_000))).toEqual([])
  })
})

// RFC 4648, 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base 32', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
  expect(fromBase32(encoded).toString()).toBe(text)
})
