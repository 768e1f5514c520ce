import { addressKey } from '#server/platform/address.ts'
import { countedFirst } from '#server/platform/counted-first.ts'
import type { LimitKey } from '#server/platform/limits.ts'
import { guessCode } from '#server/platform/one-time.ts'
import { Problem } from '#server/platform/problem.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { mailMessage } from '../email-templates/email-templates.ts'
import { type Challenge, endChallenge, findChallenge } from './challenge.ts'
import { type CheckContext, type CheckOptions, checkPassword, type LocalMethod } from './credentials.ts'
import { findPerson, type Person } from './people.repository.ts'
import { failureOf } from './refuse-sign-in.ts'
import { codePurpose } from './send-code.ts'

interface Credentials {
  email: string
  password: string
  methods: readonly LocalMethod[]
}

/** Whose password it is, and the code that this browser waits for, if it does. */
interface Proven {
  person: Person
  challenge: Challenge | undefined
}

/**
 * Checks the password of a sign-in that may be past it already: what this browser proved when it asked for its code is
 * not hashed again. Anything else goes through the one check of all passwords.
 *
 * @returns undefined whatever was wrong
 * @throws Problem 429, 503
 */
export async function provePassword(
  context: CheckContext,
  credentials: Credentials,
  options?: CheckOptions,
): Promise<Proven | undefined> {
  const { email, password } = credentials
  const challenge = await findChallenge(context.db, context)
  if (challenge?.email === email && challenge.provesPassword(password)) {
    const person = await findPerson(context.db, email)
    if (person?.active && person.loginMethod === 'local2FA' && belongs(challenge, person)) return { person, challenge }
  }
  const person = await checkPassword(context, credentials, options)
  return person && { person, challenge: challenge && belongs(challenge, person) ? challenge : undefined }
}

const belongs = (challenge: Challenge, { accountId, authEpoch }: Person) =>
  challenge.accountId === accountId && challenge.authEpoch === authEpoch

/**
 * Uses a code up, if it is the one that this browser waits for. A wrong one leaves its event, and the last one of a day
 * a mail to the owner.
 *
 * @throws Problem 429 when too many were wrong
 */
export async function redeemCode(context: CheckContext, { person, challenge }: Proven, code: string): Promise<boolean> {
  const { db, keys, now, limits } = context
  const { accountId, email } = person
  const wrongCodes: LimitKey = { name: 'wrongCode', key: accountId }
  const counted: LimitKey[] = [wrongCodes, { name: 'addressFailures', key: addressKey(context.ip) }]
  const { result: guess, usedUp } = await countedFirst(
    context,
    counted,
    async () => challenge && (await guessCode(db, keys, { purpose: codePurpose, subject: accountId, code, now })),
  )
  if (guess?.right) {
    await limits.refund(db, counted, now)
    await endChallenge(db, context)
    return true
  }
  const until = usedUp.includes('wrongCode') ? await blockedUntil(context, wrongCodes) : undefined
  await context.transact(async (trx, audit) => {
    audit(failureOf(person, email))
    if (until) await tellOfWrongCodes(context, trx, person, until)
  })
  return false
}

/** A limit that is used up says so, and until when, to whoever tries once more; that is not counted. */
async function blockedUntil({ db, limits, now }: CheckContext, limit: LimitKey): Promise<Date> {
  const refusal = await limits.take(db, [limit], now).catch((error: unknown) => error)
  const seconds = refusal instanceof Problem ? (refusal.retryAfter ?? 0) : 0
  return new Date(now.getTime() + seconds * 1000)
}

const tellOfWrongCodes = (
  { outbox, http }: CheckContext,
  db: CheckContext['db'],
  { accountId, email, firstName, preferredLanguage }: Person,
  until: Date,
) =>
  outbox.mail(
    db,
    mailMessage({
      template: 'too-many-codes',
      to: { address: email, accountId },
      language: preferredLanguage ?? requestLanguage(http.request),
      values: { firstName, until: until.toISOString() },
    }),
  )
