import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argon2Hash, verify as argon2Verify, parseOptions } from '@node-rs/argon2'
import { Problem } from './problem.ts'

/** argon2id as security.md, Limits, asks: 19 MiB, two passes. Raising a number hashes anew at each person's next sign-in. */
export const hashParameters = { algorithm: 2, version: 1, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashing and checking passwords, a bounded number at a time. */
export interface Passwords {
  /** @throws Problem 503 `tooBusy` when too many wait already */
  hash(password: string): Promise<string>
  /**
   * Is this the password behind the stored hash? Without a hash (an unknown account, one without a password) it takes
   * the same time and is never ok. `rehash`: the stored hash is weaker than today's and should be replaced.
   *
   * @throws Problem 503 `tooBusy` when too many wait already
   */
  verify(storedHash: string | null | undefined, password: string): Promise<{ ok: boolean; rehash: boolean }>
  /** How many are hashed at this moment and how many wait; for the metrics. */
  load(): { running: number; waiting: number }
}

interface PasswordsOptions {
  /** Hashes at the same time; each uses a core and 19 MiB. */
  concurrency?: number
  /** How many may wait. At about 12 ms each, 100 for each core is a wait of little more than a second. */
  queue?: number
}

/**
 * Hashing runs on libuv's threads, so that the event loop stays free; the queue is bounded, so that a flood of sign-ins
 * is told to come back while every other request stays fast.
 */
export function createPasswords({
  concurrency = hashThreads(),
  queue = 100 * concurrency,
}: PasswordsOptions = {}): Passwords {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw new Problem(503, 'tooBusy', { retryAfter: 2 })
      // Whoever finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    load: () => ({ running, waiting: waiting.length }),
    hash: (password) => inTurn(() => argon2Hash(composed(password), hashParameters)),
    verify: (storedHash, password) =>
      inTurn(async () => {
        const strength = storedHash ? strengthOf(storedHash) : undefined
        // A hash that cannot be read opens nothing, and does not show by being quick either.
        const real = storedHash && strength ? storedHash : dummyHash
        const matches = await argon2Verify(real, composed(password))
        const ok = matches && real !== dummyHash
        return { ok, rehash: ok && strength === 'weaker' }
      }),
  }
}

/** A core each, but never all of libuv's threads: files and look-ups need some too. */
const hashThreads = () => Math.max(1, Math.min(availableParallelism(), Number(process.env.UV_THREADPOOL_SIZE ?? 4) - 2))

/** å may be typed as one character or as two; both are the same password. */
const composed = (password: string) => password.normalize('NFC')

/** Well-formed, of today's strength, and of no password: its digest is random. */
const dummyHash = [
  '$argon2id$v=19',
  `m=${hashParameters.memoryCost},t=${hashParameters.timeCost},p=${hashParameters.parallelism}`,
  randomBytes(16).toString('base64').replaceAll('=', ''),
  randomBytes(32).toString('base64').replaceAll('=', ''),
].join('$')

function strengthOf(storedHash: string): 'enough' | 'weaker' | undefined {
  try {
    const { algorithm, memoryCost, timeCost } = parseOptions(storedHash)
    const enough =
      algorithm === hashParameters.algorithm &&
      memoryCost >= hashParameters.memoryCost &&
      timeCost >= hashParameters.timeCost
    return enough ? 'enough' : 'weaker'
  } catch {
    return undefined
  }
}
