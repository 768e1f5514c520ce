import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithinBounds, usualBounds } from './json-bounds.ts'

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
    expect(isWithinBounds(json, usualBounds)).toBe(false)
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
    expect(isWithinBounds(json, usualBounds)).toBe(true)
  })

  test('is whatever the calls take', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 10 }), (json) => isWithinBounds(json, usualBounds)))
  })
})

const bounds = { depth: 3, names: 3, values: 4, altogether: 12, name: 5, text: 8 }

describe('a text within bounds', () => {
  test.each([
    '{}',
    '[]',
    '"12345678"',
    '{"a":1,"b":2,"c":[1,2,3,4]}',
    '[[[1]]]',
    '{"a":"[[[[{{{{"}',
    String.raw`{"a":"\",:\\"}`,
    '{"12345":0}',
    'no JSON',
    '"',
    ']]]',
  ])('%s', (text) => expect(isWithinBounds(text, bounds)).toBe(true))
})

describe('a text beyond them', () => {
  test.each([
    ['[[[[1]]]]', 'depth'],
    ['{"a":1,"b":2,"c":3,"d":4}', 'names'],
    ['[1,2,3,4,5]', 'values'],
    ['[[1,2,3],[1,2,3],[1,2,3],[1,2,3]]', 'altogether'],
    ['{"123456":0}', 'a name'],
    ['{"123456" :0}', 'a name before a blank'],
    ['"123456789"', 'a text'],
    ['"123456789', 'a text without an end'],
    [String.raw`["\\","123456789"]`, 'a text after an escape'],
  ])('%s: %s', (text) => expect(isWithinBounds(text, bounds)).toBe(false))
})

test('any JSON is within bounds that hold what it has, however it is written', () => {
  const deepest = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(deepest)) : 0
  const widest = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Math.max(Object.keys(value).length, ...Object.values(value).map(widest))
      : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const loose = { altogether: 1e6, name: 1e6, text: 1e6 }
      const [depth, width] = [deepest(value), Math.max(1, widest(value))]
      expect(isWithinBounds(text, { ...loose, depth, names: width, values: width })).toBe(true)
      if (depth > 0)
        expect(isWithinBounds(text, { ...loose, depth: depth - 1, names: width, values: width })).toBe(false)
      if (width > 1) expect(isWithinBounds(text, { ...loose, depth, names: width - 1, values: width - 1 })).toBe(false)
    }),
  )
})
