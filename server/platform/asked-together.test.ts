import { expect, test } from 'vitest'
import { askedTogether } from './asked-together.ts'

test('questions of one turn go out as one, each with its own answer; later ones go out by themselves', async () => {
  const asked: (readonly number[])[] = []
  const double = askedTogether(async (keys: readonly number[]) => {
    asked.push(keys)
    return keys.map((key) => key * 2)
  })
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2])
  expect(await double(3)).toBe(6)
  expect(asked).toEqual([[1, 2, 1], [3]])
})

test('a question that fails fails for everybody who asked it, and for nobody after', async () => {
  let fails = true
  const ask = askedTogether(async (keys: readonly string[]) => {
    if (fails) throw new Error('away')
    return keys
  })
  const outcomes = await Promise.allSettled([ask('a'), ask('b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await ask('c')).toBe('c')
})

test('very many at once are several questions', async () => {
  const sizes: number[] = []
  const ask = askedTogether(async (keys: readonly number[]) => {
    sizes.push(keys.length)
    return keys
  })
  const keys = Array.from({ length: 250 }, (_, key) => key)
  expect(await Promise.all(keys.map(ask))).toEqual(keys)
  expect(sizes).toEqual([100, 100, 50])
})
