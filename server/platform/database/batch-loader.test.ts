import { afterEach, expect, test, vi } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

afterEach(() => void vi.useRealTimers())

test('keys of one event loop iteration are loaded in one batch; later ones in another', async () => {
  const asked: (readonly number[])[] = []
  const double = createBatchLoader(async (keys: readonly number[]) => {
    asked.push(keys)
    return keys.map((key) => key * 2)
  })
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2])
  expect(await double(3)).toBe(6)
  expect(asked).toEqual([[1, 2, 1], [3]])
})

test('a failed batch fails for all its keys, but not for later ones', async () => {
  let fails = true
  const ask = createBatchLoader(async (keys: readonly string[]) => {
    if (fails) throw new Error('away')
    return keys
  })
  const outcomes = await Promise.allSettled([ask('a'), ask('b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await ask('c')).toBe('c')
})

test('many keys are split into several batches', async () => {
  const sizes: number[] = []
  const ask = createBatchLoader(async (keys: readonly number[]) => {
    sizes.push(keys.length)
    return keys
  })
  const keys = Array.from({ length: 250 }, (_, key) => key)
  expect(await Promise.all(keys.map(ask))).toEqual(keys)
  expect(sizes).toEqual([100, 100, 50])
})

test('while two batches are running, further keys wait and share the next one', async () => {
  // The clock does not advance, so the timeout of a slow batch never fires, even on a slow machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const out: { keys: readonly number[]; answer: () => void }[] = []
  const ask = createBatchLoader(
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

test('a batch without a response delays the others only briefly', async () => {
  const asked: number[] = []
  const ask = createBatchLoader((keys: readonly number[]) => {
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
