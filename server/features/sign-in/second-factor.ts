import type { AddressProof } from '#server/oidc/address-proof.ts'
import { methodFromAmr } from '#server/oidc/sign-in-method.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { Problem } from '#server/platform/problem.ts'
import { verifyCode } from '#server/platform/secrets/one-time-tokens.ts'
import { mailMessage } from '../email-templates/email-templates.ts'
import { type Challenge, endChallenge, findChallenge } from './challenge.ts'
import { type Attempt, type CheckContext, checkPassword } from './credentials.ts'
import { findPerson, type Person } from './people.repository.ts'
import { loginFailureEntry } from './refuse-sign-in.ts'
import { codePurpose } from './send-code.ts'

/** The person whose password was correct, and the open challenge of this browser, if any. */
interface Proven {
  person: Person
  challenge: Challenge | undefined
}

/**
 * Checks a password together with a code. If this browser already proved the same password when it requested the code,
 * the slow hash is not repeated. Otherwise `checkPassword` checks it.
 *
 * @returns undefined for any failure
 * @throws Problem 429, 503
 */
export async function provePassword(context: CheckContext, credentials: Attempt): Promise<Proven | undefined> {
  const { email, password } = credentials
  const challenge = await findChallenge(context.db, context)
  if (challenge?.email === email && challenge.provesPassword(password)) {
    const person = await findPerson(context.db, email)
    if (person?.active && person.loginMethod === 'local2FA' && belongs(challenge, person)) return { person, challenge }
  }
  const person = await checkPassword(context, credentials)
  return person && { person, challenge: challenge && belongs(challenge, person) ? challenge : undefined }
}

const belongs = (challenge: Challenge, { accountId, authEpoch }: Person) =>
  challenge.accountId === accountId && challenge.authEpoch === authEpoch

/**
 * Consumes a code, if it belongs to this browser's challenge. A wrong code is audited; the one that uses the daily limit
 * up also sends a mail to the owner.
 *
 * @param uid the interaction, if any
 * @returns the authentication methods (RFC 8176), and the address proof if the code came by mail; undefined for a wrong
 * code
 * @throws Problem 429 after too many wrong codes
 */
export async function redeemCode(
  context: CheckContext,
  { person, challenge }: Proven,
  { code, uid }: { code: string; uid: string | undefined },
): Promise<{ amr: readonly string[]; addressProof: AddressProof | undefined } | undefined> {
  const { db, keys, now, limits } = context
  const { accountId, email } = person
  const wrongCodes: LimitKey = { name: 'wrongCode', key: accountId }
  const amr = challenge?.by === 'sms' ? ['pwd', 'otp', 'sms', 'mfa'] : ['pwd', 'otp', 'mfa']
  const counted: LimitKey[] = [wrongCodes, { name: 'addressFailures', key: addressKey(context.ip) }]
  const { result: guess, usedUp } = await withAttemptLimit(
    context,
    counted,
    async () => challenge && (await verifyCode(db, keys, { purpose: codePurpose, subject: accountId, code, now })),
  )
  if (guess?.right) {
    await limits.refund(db, counted, now)
    await endChallenge(db, context)
    return { amr, addressProof: challenge?.by === 'email' ? 'mailedCode' : undefined }
  }
  const until = usedUp.includes('wrongCode') ? await blockedUntil(context, wrongCodes) : undefined
  await context.transact(async (trx, audit) => {
    audit(await loginFailureEntry(context, trx, { email, person, method: methodFromAmr(amr), uid }))
    if (until) await notifyOfWrongCodes(context, trx, person, until)
  })
  return undefined
}

/** When the limit resets. Reads it from the refusal of one more attempt, which a used-up limit does not count. */
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
