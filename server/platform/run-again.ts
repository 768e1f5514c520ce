const maxRuns = 3

/**
 * Runs work that is all or nothing, a statement by itself or a whole transaction, again where PostgreSQL took it back to
 * let another through: a deadlock (40P01), a lost serialisation (40001). Nothing of it is left then, and nobody did wrong.
 *
 * @throws whatever the work throws, and what takes it back each time
 */
export async function runAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let run = 1; ; run++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (run === maxRuns || (code !== '40P01' && code !== '40001')) throw error
    }
  }
}
