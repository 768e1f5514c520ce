import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ephemeral port range (32768 and up on Linux, higher elsewhere), so that the system does not assign the port
// before the caller listens. Each test worker has its own range.
const [lowest, each, shares] = [20_000, 399, 32]
const share = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % shares
let next = randomInt(each)

/** Finds a free port that no other test will get soon. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < each; tries++) {
    const port = lowest + share * each + (next++ % each)
    if (await isFree(port)) return port
  }
  throw new Error('no free port left for this worker')
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
