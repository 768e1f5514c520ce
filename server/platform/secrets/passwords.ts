import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argon2Hash, verify as argon2Verify, parseOptions } from '@node-rs/argon2'
import { Problem } from '../problem.ts'

/** argon2id (security 25): 19 MiB, two passes. After a change each user's password is rehashed at the next sign-in. */
export const hashParameters = { algorithm: 2, version: 1, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

type HashParameters = { [Name in keyof typeof hashParameters]: number }

/** Hashes and verifies passwords with bounded concurrency. */
export interface Passwords {
  /** @throws Problem 503 `tooBusy` when the queue is full */
  hash(password: string): Promise<string>
  /**
   * Verifies a password. Without a hash (an unknown account, or one without a password) it takes the same time and is never
   * ok. `rehash`: the stored hash has weaker parameters than today's and should be replaced.
   *
   * @throws Problem 503 `tooBusy` when the queue is full
   */
  verify(storedHash: string | null | undefined, password: string): Promise<{ ok: boolean; rehash: boolean }>
  /** The number of running and waiting hashes, for the metrics. */
  load(): { running: number; waiting: number }
}

interface PasswordsOptions {
  /** Only tests that are not about passwords hash with less. */
  parameters?: HashParameters
  /** Maximum number of concurrent hashes; each uses a core and 19 MiB. */
  concurrency?: number
  /** Queue length. At about 12 ms each, 100 per core is a wait of little more than a second. */
  queue?: number
}

/**
 * Hashing runs in libuv's thread pool, so that it does not block the event loop. The queue is bounded: under a flood of
 * sign-ins further ones get 503, and all other requests stay fast.
 */
export function createPasswords({
  parameters = hashParameters,
  concurrency = hashThreads(),
  queue = 100 * concurrency,
}: PasswordsOptions = {}): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  const dummyHash = dummyHashOf(parameters)

  async function withSemaphore<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw new Problem(503, 'tooBusy', { retryAfter: 2 })
      // A finished task hands its slot to the next one, so `running` does not change.
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
    hash: (password) => withSemaphore(() => argon2Hash(normalize(password), parameters)),
    verify: (storedHash, password) =>
      withSemaphore(async () => {
        const strength = storedHash ? strengthOf(storedHash, parameters) : undefined
        // An invalid hash never matches, and takes as long as a valid one.
        const real = storedHash && strength ? storedHash : dummyHash
        const matches = await argon2Verify(real, normalize(password))
        const ok = matches && real !== dummyHash
        return { ok, rehash: ok && strength === 'weaker' }
      }),
  }
}

/** One per core, but not all threads of libuv's pool: file access and DNS lookups need some too. */
const hashThreads = () => Math.max(1, Math.min(availableParallelism(), Number(process.env.UV_THREADPOOL_SIZE ?? 4) - 2))

/** Normalises to NFC: å may be typed as one code point or as two. */
const normalize = (password: string) => password.normalize('NFC')

/** A valid hash with today's parameters that matches no password, because its digest is random. */
const dummyHashOf = ({ memoryCost, timeCost, parallelism }: HashParameters): string =>
  [
    '$argon2id$v=19',
    `m=${memoryCost},t=${timeCost},p=${parallelism}`,
    randomBytes(16).toString('base64').replaceAll('=', ''),
    randomBytes(32).toString('base64').replaceAll('=', ''),
  ].join('$')

function strengthOf(storedHash: string, parameters: HashParameters): 'enough' | 'weaker' | undefined {
  try {
    const { algorithm, memoryCost, timeCost } = parseOptions(storedHash)
    const enough =
      algorithm === parameters.algorithm && memoryCost >= parameters.memoryCost && timeCost >= parameters.timeCost
    return enough ? 'enough' : 'weaker'
  } catch {
    return undefined
  }
}
