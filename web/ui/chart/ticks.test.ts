import { expect, test } from 'vitest'
import { ticks } from './ticks.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [9, [0, 5, 10]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1999, [0, 500, 1000, 1500, 2000]],
])('the axis up to %d has round lines', (most, lines) => {
  expect(ticks(most)).toEqual(lines)
})

test('the last line is never below the largest value, and there are never more than four steps', () => {
  for (let most = 0; most < 5000; most++) {
    const lines = ticks(most)
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most)
    expect(lines.length).toBeLessThanOrEqual(5)
  }
})
