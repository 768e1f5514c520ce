import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTooLarge } from './json-bounds.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0])))

describe('JSON that is too large', () => {
  test.each([
    ['deeper than 32 levels', nested(33)],
    ['objects in objects', '{"a":'.repeat(33)],
    ['more than 1000 keys in one object', keys(1001)],
    ['as many, behind others', `[{},{"a":[1,2]},${keys(1001)}]`],
    ['more than 100,000 values', `[${'0,'.repeat(100_001)}0]`],
    ['as many in many lists', `[${`[${'0,'.repeat(999)}0],`.repeat(101)}0]`],
    ['commas of nothing', ','.repeat(1001)],
  ])('is %s', (_, json) => {
    expect(isTooLarge(json)).toBe(true)
  })
})

describe('JSON that is read', () => {
  test.each([
    ['32 levels', nested(32)],
    ['1000 keys', keys(1000)],
    ['a text of signs', JSON.stringify({ text: '[{,"'.repeat(50_000) })],
    ['a text that ends in backslashes', JSON.stringify(['\\'.repeat(3), '{['.repeat(100), '\\"', '[['.repeat(100)])],
    [
      '10,000 members of a group',
      JSON.stringify({
        members: Array.from({ length: 10_000 }, () => ({ value: 'x', display: 'y', type: 'User', $ref: 'z' })),
      }),
    ],
    ['nothing that is JSON', '"'],
  ])('has %s', (_, json) => {
    expect(isTooLarge(json)).toBe(false)
  })

  test('is whatever the calls take', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 10 }), (json) => !isTooLarge(json)))
  })
})
