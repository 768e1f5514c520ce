const maxKeys = 100
/** Batches that may run at the same time; further keys wait. */
const maxInFlight = 2
/** Milliseconds after which a slow batch no longer counts as running: its connection may be dead. */
const releaseAfterMs = 50

interface Waiting<Key, Result> {
  key: Key
  resolve(result: Result): void
  reject(reason: unknown): void
}

/**
 * Loads values by key in batches: keys that arrive in the same iteration of the event loop, or while `maxInFlight` batches
 * are running, share one call of `load`. A single key is loaded at once.
 *
 * @param load returns the results in the order of the keys; it is called after the last of its keys has arrived
 */
export function createBatchLoader<Key, Result>(
  load: (keys: readonly Key[]) => Promise<readonly Result[]>,
): (key: Key) => Promise<Result> {
  const waiting: Waiting<Key, Result>[] = []
  let scheduled = false
  let inFlight = 0

  async function run(batch: readonly Waiting<Key, Result>[]): Promise<void> {
    let counted = true
    const release = () => {
      if (!counted) return
      counted = false
      inFlight--
      schedule()
    }
    inFlight++
    const timer = setTimeout(release, releaseAfterMs)
    try {
      const results = await load(batch.map(({ key }) => key))
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= maxInFlight) return
    scheduled = true
    // Runs after the event loop has read all pending requests.
    setImmediate(() => {
      scheduled = false
      while (waiting.length > 0 && inFlight < maxInFlight) void run(waiting.splice(0, maxKeys))
    })
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}
