import type { SecondFactorKind } from '#contract/second-factors.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { amrAfterPassword, methodFromAmr } from '#server/oidc/sign-in-method.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import type { LimitName } from '#server/platform/limit-rules.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { Problem } from '#server/platform/problem.ts'
import { guessLimits } from './code-limits.ts'
import type { CheckContext } from './credentials.ts'
import { verifyTypedCode } from './factors/verify-code.ts'
import type { Person } from './people.repository.ts'
import { loginFailureEntry } from './refuse-sign-in.ts'

interface Guess {
  person: Person
  /** Where a code was mailed or sent; undefined if none was. */
  issued: { purpose: string; subject: string } | undefined
  code: string
  /** What the person was asked for: the method of a failure. */
  asked: SecondFactorKind
  /** The interaction, if any. */
  uid?: string | undefined
}

/**
 * Consumes a code: one that was sent, one of the person's app, or a recovery code, which has a limit of its own. A wrong one is
 * audited; the one that uses the daily limit up also sends a mail to the owner.
 *
 * @returns the factor that it proves; undefined for a wrong code
 * @throws Problem 429 after too many wrong codes
 */
export async function guessCode(
  context: CheckContext,
  { person, issued, code, asked, uid }: Guess,
): Promise<SecondFactorKind | 'recoveryCode' | undefined> {
  const { db, now, limits } = context
  const { email } = person
  const counted = guessLimits(context, person, code)
  const { result: proven, usedUp } = await withAttemptLimit(context, counted, () =>
    verifyTypedCode(context, { person, issued, code }),
  )
  if (proven) {
    await limits.refund(db, counted, now)
    return proven
  }
  const over = counted.find(({ name }) => ofCodes.includes(name) && usedUp.includes(name))
  const until = over && (await blockedUntil(context, over))
  await context.transact(async (trx, audit) => {
    audit(
      await loginFailureEntry(context, trx, {
        email,
        person,
        method: methodFromAmr(amrAfterPassword(asked)),
        uid,
      }),
    )
    if (until) await notifyOfWrongCodes(context, trx, person, until)
  })
  return undefined
}

/** What the owner is told of. */
const ofCodes: readonly LimitName[] = ['wrongCode', 'wrongCodeTotal']

/** When the limit resets. One more attempt is refused with that time; an exhausted limit does not count it. */
async function blockedUntil({ db, limits, now }: CheckContext, limit: LimitKey): Promise<Date> {
  const refusal = await limits.take(db, [limit], now).catch((error: unknown) => error)
  const seconds = refusal instanceof Problem ? (refusal.retryAfter ?? 0) : 0
  return new Date(now.getTime() + seconds * 1000)
}

const notifyOfWrongCodes = (
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
      language: preferredLanguage ?? detectLanguage(http.request),
      values: { firstName, until: until.toISOString() },
    }),
  )
