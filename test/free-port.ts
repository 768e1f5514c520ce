import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that a system gives to whoever asks for just any (32768 and up on Linux, higher elsewhere): none of
// them is taken in the time until the one who asked here listens. Each worker of the tests has its own.
const [lowest, each, shares] = [20_000, 399, 32]
const share = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % shares
let next = randomInt(each)

/** A port that nobody listens on, and that nobody else is given soon. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < each; tries++) {
    const port = lowest + share * each + (next++ % each)
    if (await isFree(port)) return port
  }
  throw new Error('every port that this worker may use is taken')
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
