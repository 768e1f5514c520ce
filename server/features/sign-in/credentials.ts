import { addressKey } from '#server/platform/address.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { LimitKey } from '#server/platform/limits.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { knownBrowser } from './known-browser.ts'
import { findPerson, type Person } from './people.repository.ts'
import { createTurns } from './turns.ts'

/** What was presented, and by which kind of account it may be. */
interface Attempt {
  /** Canonical. */
  email: string
  password: string
  /** A password is the whole proof for `local`, and half of it for `local2FA`. */
  method: 'local' | 'local2FA'
}

/** Who it is, and a hash to store in place of one that has become too weak. */
export interface Checked {
  person: Person
  passwordHash: string | undefined
}

/** What a check needs of the request. */
export type CheckContext = Pick<
  RequestContext,
  'db' | 'config' | 'keys' | 'limits' | 'passwords' | 'now' | 'ip' | 'http' | 'transact'
>

// Well below the free attempts of a person with an address, and of an address.
const turnOfPerson = createTurns({ atOnce: 4, waiting: 100 })
const turnOfAddress = createTurns({ atOnce: 10, waiting: 200 })

/**
 * The one place where a password is checked, always in this order (security.md, By construction 8): count, fetch the
 * person or nobody, hash in any case, compare, answer alike. A failure leaves its event.
 *
 * @returns undefined whatever was wrong: the address, the password, the sign-in method, or the person's state
 * @throws Problem 429 when a limit is used up, 503 when too many wait
 */
export function checkPassword(context: CheckContext, attempt: Attempt): Promise<Checked | undefined> {
  const address = addressKey(context.ip)
  return turnOfAddress(address, () =>
    turnOfPerson(attempt.email, async () => {
      const counted = limitsFor(context, attempt.email, address)
      await context.limits.take(context.db, [counted.pair, ...counted.others], context.now)
      const checked = await compare(context, attempt)
      if (!checked) return undefined
      await context.limits.settle(context.db, { forget: [counted.pair], refund: counted.others }, context.now)
      return checked
    }),
  )
}

function limitsFor(context: CheckContext, email: string, address: string): { pair: LimitKey; others: LimitKey[] } {
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

async function compare(context: CheckContext, { email, password, method }: Attempt): Promise<Checked | undefined> {
  const person = await findPerson(context.db, email)
  const { ok, rehash } = await context.passwords.verify(person?.passwordHash, password)
  if (!person || !ok || !person.active || person.loginMethod !== method) {
    await context.transact(async (_, audit) => audit(failureOf(person, email)))
    return undefined
  }
  return { person, passwordHash: rehash ? await context.passwords.hash(password) : undefined }
}

/** A failed sign-in is told of the account that was tried; an unknown address has no more than its name. */
const failureOf = (person: Person | undefined, email: string): AuditEntry => ({
  name: 'loginFailure',
  target: { id: person?.accountId ?? null, label: email },
  organizationIds: person?.organizationIds ?? [],
})
