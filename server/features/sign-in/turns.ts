import { Problem } from '#server/platform/problem.ts'

/** Lets only so many checks of one kind run at a time; the others wait for their turn, in order. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Every attempt is counted as a failure before it is checked, and given back when it was none. So few of one person or
 * address may be under way at once that people who sign in at the same moment do not use up each other's budget.
 *
 * @throws Problem 503 `tooBusy` when too many wait already
 */
export function createTurns({ atOnce, waiting: most }: { atOnce: number; waiting: number }): Turns {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    lines.set(key, line)
    if (line.running >= atOnce) {
      if (line.waiting.length >= most) throw new Problem(503, 'tooBusy', { retryAfter: 2 })
      // Whoever finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    } else line.running++
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.running === 0) lines.delete(key)
    }
  }
}
