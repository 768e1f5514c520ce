import { asksForTwo, type LocalMethod } from '#contract/login-methods.ts'
import type { OpenInteraction } from '#server/oidc/interactions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import type { LimitKey, Succeeded } from '#server/platform/limits/limits.ts'
import { withAttemptLimit, withAttemptLimitReading } from '#server/platform/limits/with-attempt-limit.ts'
import { createKeyedSemaphore } from './keyed-semaphore.ts'
import { checkForLeak } from './leaked-at-sign-in.ts'
import { limitsFor, limitsOfCutOff, typosBefore } from './password-limits.ts'
import { type Person, type PersonIn, selectPersonIn, strengthenHash } from './people.repository.ts'
import { refuseSignIn } from './refuse-sign-in.ts'

/** The presented credentials, and the login methods that accept them. */
export interface Attempt {
  /** Canonical. */
  email: string
  password: string
  /** Where a password is the whole proof, somebody who chose a second factor is accepted too: what follows asks for it. */
  methods: readonly LocalMethod[]
  /** The interaction, where there is one. */
  uid?: string | undefined
}

/** What a password check needs from the request context. */
export type CheckContext = Pick<
  RequestContext,
  | 'db'
  | 'config'
  | 'keys'
  | 'limits'
  | 'outbox'
  | 'passwords'
  | 'leakedPasswords'
  | 'now'
  | 'ip'
  | 'http'
  | 'transact'
  | 'counters'
>

// Well below the rate limits per account and address, and per address. One at a time for an account: on several nodes at
// once, attempts that are not given back yet would use up the five free ones.
const perAccount = createKeyedSemaphore({ maxRunning: 1, maxWaiting: 100 })
const perAddress = createKeyedSemaphore({ maxRunning: 10, maxWaiting: 200 })

/** The session of someone who is signed in already. Wrong passwords count against it too, and too many end it. */
interface OpenSession {
  limit: LimitKey
  endIt: (db: Db) => Promise<void>
}

/** An attempt with a right password, which is still counted. */
export interface CountedAttempt extends Succeeded {
  refund: readonly LimitKey[]
  /** Its points have been given back. */
  settled: boolean
}

/** The right password of an active person. */
export interface RightPassword {
  person: Person
  /** To be settled by the statement that writes what the password proves. */
  counted: CountedAttempt
  /** The sign-in that the attempt names, if it is open. */
  interaction: OpenInteraction | undefined
}

/**
 * The only place that checks a password, always in this order (security 13): count the attempt, in the statement that looks the
 * person up, hash even if there is no such person, compare, give the same answer to every failure. A failure is audited.
 *
 * @param use what a right password leads to; it settles the attempt. If it fails before, the attempt is settled here.
 * @returns undefined for any failure: wrong address, password or login method, or a person who may not sign in
 * @throws Problem 429 when a limit is used up, 503 when too many requests wait; and any error of `use`
 */
export function withPassword<Result>(
  context: CheckContext,
  attempt: Attempt,
  use: (right: RightPassword) => Promise<Result>,
  within?: OpenSession,
): Promise<Result | undefined> {
  const address = addressKey(context.ip)
  return perAddress(address, () =>
    perAccount(attempt.email, async () => {
      const { pair, others: elsewhere } = limitsFor(context, attempt.email, address)
      const others = within ? [...elsewhere, within.limit] : elsewhere
      const { result, usedUp, counts } = await withAttemptLimitReading(
        context,
        { keys: [pair, ...others], read: selectPersonIn(attempt.email, { uid: attempt.uid, now: context.now }) },
        async (found) => {
          const limits = limitsOfCutOff(context, found?.person, address)
          const { result } = await withAttemptLimit(context, limits, () => compare(context, attempt, found))
          return { ...result, alsoCounted: limits }
        },
      )
      const { person, right, rehash, interaction, alsoCounted } = result
      if (!person?.active || !right) {
        // Audit after counting: even if this write fails, the attempt has been counted.
        const { email, uid } = attempt
        const over = within && usedUp.includes(within.limit.name)
        await refuseSignIn(context, {
          email,
          person,
          method: 'password',
          uid,
          proven: right,
          reason: over ? 'too many wrong passwords: the session was ended' : undefined,
          alongside: over ? within.endIt : undefined,
        })
        return undefined
      }
      const refund = [...others, ...alsoCounted].map((limit) =>
        limit.name === 'addressFailures' ? { ...limit, times: 1 + typosBefore(counts) } : limit,
      )
      const counted: CountedAttempt = { forget: [pair], refund, settled: false }
      try {
        const strong = rehash ? await withStrongerHash(context, person, attempt.password) : person
        // A person who proves the own password in the middle of their work is not interrupted.
        if (!within) await checkForLeak(context, strong, attempt.password)
        return await use({ person: strong, counted, interaction })
      } catch (error) {
        // If this fails too, report the first error.
        await settle(context, counted).catch(() => undefined)
        throw error
      }
    }),
  )
}

/** Gives the points of a right password back, if no other statement has done so. */
export async function settle({ db, limits, now }: CheckContext, counted: CountedAttempt): Promise<void> {
  if (counted.settled) return
  await limits.settle(db, counted, now)
  counted.settled = true
}

/** Checks a password, where nothing is written that could settle the attempt. */
export const checkPassword = (
  context: CheckContext,
  attempt: Attempt,
  within?: OpenSession,
): Promise<Person | undefined> =>
  withPassword(
    context,
    attempt,
    async ({ person, counted }) => {
      await settle(context, counted)
      return person
    },
    within,
  )

interface Compared {
  person: Person | undefined
  /** The password is correct and the login method allowed. The person's state may still forbid a sign-in. */
  right: boolean
  /** The stored hash is weaker than today's. */
  rehash: boolean
  interaction: OpenInteraction | undefined
}

async function compare(
  { passwords }: CheckContext,
  { password, methods }: Attempt,
  found: PersonIn | undefined,
): Promise<Compared> {
  const person = found?.person
  const { ok, rehash } = await passwords.verify(person?.passwordHash, password)
  const accepted = methods.some(
    (method) => method === person?.loginMethod || (!asksForTwo(method) && person?.choseTwoSteps),
  )
  const right = ok && accepted
  const interaction = found?.interaction ? { payload: found.interaction } : undefined
  return { person, right, rehash, interaction }
}

// A failure here does not refuse the sign-in: the next one tries again.
async function withStrongerHash(
  { db, passwords, http }: CheckContext,
  person: Person,
  password: string,
): Promise<Person> {
  try {
    const passwordHash = await passwords.hash(password)
    await strengthenHash(db, person, passwordHash)
    return { ...person, passwordHash }
  } catch (err) {
    http.request.log.warn({ err }, 'a stronger hash of a password could not be stored')
    return person
  }
}
