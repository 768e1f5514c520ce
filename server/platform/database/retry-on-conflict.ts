const maxRuns = 3

/**
 * Retries a statement or a whole transaction that PostgreSQL aborted because of a conflict: deadlock (40P01) or
 * serialisation failure (40001). An aborted transaction has changed nothing, so it is safe to run again.
 *
 * @throws the error of the work, or the conflict when every run failed
 */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let run = 1; ; run++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (run === maxRuns || (code !== '40P01' && code !== '40001')) throw error
    }
  }
}
