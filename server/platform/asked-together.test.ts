import { afterEach, expect, test, vi } from 'vitest'
import { askedTogether } from './asked-together.ts'

afterEach(() => void vi.useRealTimers())

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

test('while two questions are out the next ones wait and go together', async () => {
  // The moment after which a question holds up nobody any more never comes, however slow the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const out: { keys: readonly number[]; answer: () => void }[] = []
  const ask = askedTogether(
    (keys: readonly number[]) =>
      new Promise<readonly number[]>((resolve) => void out.push({ keys, answer: () => resolve(keys) })),
  )
  const turn = () => new Promise(setImmediate)
  const answers = []
  for (const key of [1, 2, 3, 4]) {
    answers.push(ask(key))
    await turn()
  }
  expect(out.map(({ keys }) => keys)).toEqual([[1], [2]])
  out[0]?.answer()
  expect(await answers[0]).toBe(1)
  await turn()
  expect(out.map(({ keys }) => keys)).toEqual([[1], [2], [3, 4]])
  for (const { answer } of out) answer()
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4])
})

test('questions that get no answer hold up the others for a moment only', async () => {
  const asked: number[] = []
  const ask = askedTogether((keys: readonly number[]) => {
    asked.push(...keys)
    return keys.includes(3) ? Promise.resolve(keys) : new Promise<readonly number[]>(() => {})
  })
  for (const key of [1, 2]) {
    void ask(key)
    await new Promise(setImmediate)
  }
  expect(await ask(3)).toBe(3)
  expect(asked).toEqual([1, 2, 3])
})
