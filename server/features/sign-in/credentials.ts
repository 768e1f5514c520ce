import { type RawBuilder, sql } from 'kysely'
import { addressKey } from '#server/platform/address.ts'
import { countedFirst } from '#server/platform/counted-first.ts'
import type { LimitKey, Settling } from '#server/platform/limits.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { knownBrowser } from './known-browser.ts'
import { type Person, selectPerson, strengthenHash } from './people.repository.ts'
import { refuseSignIn } from './refuse-sign-in.ts'
import { createTurns } from './turns.ts'

/** What was presented, and by which kind of account it may be. */
interface Attempt {
  /** Canonical. */
  email: string
  password: string
  /** A password is the whole proof for `local`, and half of it for `local2FA`. */
  methods: readonly LocalMethod[]
}
export type LocalMethod = 'local' | 'local2FA'

/** What a check needs of the request. */
export type CheckContext = Pick<
  RequestContext,
  'db' | 'config' | 'keys' | 'limits' | 'outbox' | 'passwords' | 'now' | 'ip' | 'http' | 'transact'
>

// Well below the free attempts of a person with an address, and of an address.
const turnOfPerson = createTurns({ atOnce: 4, waiting: 100 })
const turnOfAddress = createTurns({ atOnce: 10, waiting: 200 })

/** What takes back the counts of an attempt that was none to count, and whatever else a right password leads to. */
type WhenRight = (person: Person, settling: Settling, read: unknown) => Promise<unknown>

export interface CheckOptions {
  /** Runs where the password is right, in place of taking the counts back, and has to do that too. */
  whenRight?: WhenRight
  /** What that has to know: an expression of the type jsonb, read together with the person. */
  wanted?: RawBuilder<unknown>
}

/**
 * The one place where a password is checked, always in this order (security.md, By construction 8): count, fetch the
 * person or nobody, hash in any case, compare, answer alike. A failure leaves its event.
 *
 * @returns undefined whatever was wrong: the address, the password, the sign-in method, or the person's state
 * @throws Problem 429 when a limit is used up, 503 when too many wait
 */
export function checkPassword(
  context: CheckContext,
  attempt: Attempt,
  { whenRight = settle(context), wanted = sql`null::jsonb` }: CheckOptions = {},
): Promise<Person | undefined> {
  const address = addressKey(context.ip)
  return turnOfAddress(address, () =>
    turnOfPerson(attempt.email, async () => {
      const { pair, others } = limitsFor(context, attempt.email, address)
      const { result: checked } = await countedFirst(
        context,
        [pair, ...others],
        (read) => compare(context, attempt, read),
        besidePerson(attempt.email, wanted),
      )
      const { person, right, rehash } = checked
      if (!person?.active || !right) {
        // Its time and place are after the count: whoever makes this fail has used an attempt up.
        await refuseSignIn(context, { email: attempt.email, person, proven: right })
        return undefined
      }
      const settling = { forget: [pair], refund: others }
      try {
        await whenRight(person, settling, checked.wanted)
      } catch (error) {
        // The password was right, whatever broke after it. Where this breaks too, the first one is what to tell.
        await context.limits.settle(context.db, settling, context.now).catch(() => undefined)
        throw error
      }
      return rehash ? strengthened(context, person, attempt.password) : person
    }),
  )
}

const settle =
  ({ limits, db, now }: CheckContext): WhenRight =>
  (_, settling) =>
    limits.settle(db, settling, now)

/** Where a wrong password counts: for the pair of account and address, and for what each of them does elsewhere. */
export function limitsFor(
  context: CheckContext,
  email: string,
  address: string,
): { pair: LimitKey; others: LimitKey[] } {
  const browser = knownBrowser(context.http.request, context, email)
  return {
    pair: { name: 'wrongPassword', key: `${email} ${address}` },
    others: [
      browser === undefined
        ? { name: 'wrongPasswordAccount', key: email }
        : { name: 'wrongPasswordBrowser', key: `${email} ${browser}` },
      { name: 'addressFailures', key: address },
    ],
  }
}

interface Compared {
  person: Person | undefined
  /** It is that person's password, and enough for the sign-in method. The person's state may still forbid a sign-in. */
  right: boolean
  /** The stored hash is weaker than today's. */
  rehash: boolean
  wanted: unknown
}

interface ReadWithCount {
  person: Person | null
  wanted: unknown
}
const besidePerson = (email: string, wanted: RawBuilder<unknown>) => sql<ReadWithCount>`
  jsonb_build_object('person', (select to_jsonb(person) from (${selectPerson(email)}) person), 'wanted', ${wanted})`

async function compare(
  { passwords }: CheckContext,
  { password, methods }: Attempt,
  { person: found, wanted }: ReadWithCount,
): Promise<Compared> {
  const person = found ?? undefined
  const { ok, rehash } = await passwords.verify(person?.passwordHash, password)
  return { person, right: ok && methods.some((method) => method === person?.loginMethod), rehash, wanted }
}

// Whoever has proven who they are, and may be signed in by now, is not refused for this: the next time will do.
async function strengthened({ db, passwords, http }: CheckContext, person: Person, password: string): Promise<Person> {
  try {
    const passwordHash = await passwords.hash(password)
    await strengthenHash(db, person, passwordHash)
    return { ...person, passwordHash }
  } catch (err) {
    http.request.log.warn({ err }, 'a stronger hash of a password could not be stored')
    return person
  }
}
