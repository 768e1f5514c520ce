import { Problem } from '#server/platform/problem.ts'

/** Runs work under a key. The work waits while `maxRunning` others of the same key are running. */
export type KeyedSemaphore = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Limits concurrent work per key, within this process. Each sign-in attempt counts as a failure until it is
 * refunded, so people who sign in at the same moment from one address would otherwise use up each other's attempts.
 *
 * @throws Problem 503 `tooBusy` when too many wait
 */
export function createKeyedSemaphore({
  maxRunning,
  maxWaiting,
}: {
  maxRunning: number
  maxWaiting: number
}): KeyedSemaphore {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running >= maxRunning) {
      if (queue.waiting.length >= maxWaiting) throw new Problem(503, 'tooBusy', { retryAfter: 2 })
      // The finished work hands its slot over, so `running` stays the same.
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    } else queue.running++
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}
