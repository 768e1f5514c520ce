import { expect, test } from 'vitest'
import { createCallLimiter } from './call-limiter.ts'

const now = new Date('2026-11-21T08:00:10Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('a session may make 300 calls at once, then five a second, independent of other sessions', () => {
  const limiter = createCallLimiter()
  const waits = Array.from({ length: 301 }, () => limiter.take('one', now))
  expect(waits).toEqual([...Array(300).fill(0), 1])
  expect(limiter.take('other', now)).toBe(0)
  expect(Array.from({ length: 6 }, () => limiter.take('one', after(1)))).toEqual([0, 0, 0, 0, 0, 1])
  const minuteLater = Array.from({ length: 301 }, () => limiter.take('one', after(61)))
  expect(minuteLater.filter((wait) => wait === 0)).toHaveLength(300)
})

test('a slow limit says how long to wait', () => {
  const limiter = createCallLimiter({ points: 1, seconds: 60 })
  expect(limiter.take('one', now)).toBe(0)
  expect(limiter.take('one', after(15))).toBe(45)
  expect(limiter.take('one', after(60))).toBe(0)
})

test('a clock that moves back costs no calls', () => {
  const limiter = createCallLimiter({ points: 2, seconds: 60 })
  limiter.take('one', now)
  expect(limiter.take('one', after(-30))).toBe(0)
  expect(limiter.take('one', now)).toBeGreaterThan(0)
})
