import type { CodeDeliveryType } from '#contract/sign-in/sign-in.ts'
import { mailMessage, smsMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { newId } from '#server/platform/ids.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { Problem } from '#server/platform/problem.ts'
import { issueCode, revokeTokens } from '#server/platform/secrets/one-time-tokens.ts'
import { beginChallenge, findChallenge } from './challenge.ts'
import { withdrawCode, withdrawStuckSms } from './code-delivery.repository.ts'
import { sendLimits } from './code-limits.ts'
import type { CheckContext } from './credentials.ts'
import { findFactors, findFirstFactor, takesMail } from './factors/factors.repository.ts'
import type { Person } from './people.repository.ts'

/** The purpose of the one-time codes: a sign-in in one browser. */
export const codePurpose = 'loginCode'
const minutes = 10
const attempts = 5
/** Seconds after which an unsent SMS counts as stuck; soon after, the page offers e-mail instead. */
const maxWait = 2

/** Whom a code is sent to, and how. */
export interface Recipient {
  person: Person
  by: CodeDeliveryType
}
interface CodeRequest extends Recipient {
  /** Has just been checked. */
  password: string
}

/**
 * Sends a code, invalidates any earlier one, and binds it to this browser.
 *
 * @throws Problem 403 for an SMS to a number that its owner has not confirmed, 422 to a person without one, 429 when too many were sent
 */
export async function sendCode(context: CheckContext, request: CodeRequest): Promise<void> {
  refuseMissingNumber(request)
  await refuseMailAfterReset(context, request)
  await refundStuckSms(context, request.person)
  await withAttemptLimit(context, sendLimits(context, request), () => issueAndQueue(context, request))
}

/**
 * Begins the second step: sends a code as asked; else asks for the factor that the person has chosen.
 *
 * @throws Problem as of `sendCode`
 */
export async function beginSecondStep(
  context: CheckContext,
  { person, password, by }: Omit<CodeRequest, 'by'> & { by: CodeDeliveryType | undefined },
): Promise<void> {
  const asked = by ?? (await findFirstFactor(context.db, person, context.config.passkeyRpId))
  if (asked === 'email' || asked === 'sms') return sendCode(context, { person, password, by: asked })
  if (asked === null) await requireStandIn(context, person)
  const { accountId, email, authEpoch } = person
  const expiresAt = new Date(context.now.getTime() + minutes * 60_000)
  const what = { accountId, email, authEpoch, messageId: null, codeId: null, by: asked, password, expiresAt }
  await context.transact((db) => beginChallenge(db, context, what))
}

/** @throws Problem 403 to somebody who has neither a recovery code nor BankID, and has to be helped */
async function requireStandIn({ db, config }: CheckContext, { accountId }: Person): Promise<void> {
  const { recoveryCodes, hasBankId } = await findFactors(db, accountId, config.passkeyRpId)
  if (!recoveryCodes?.left && !hasBankId) throw new Problem(403, 'mailNotAfterReset')
}

/** @throws Problem 403 for an SMS to a number that its owner has not confirmed, 422 to a person without one */
export function refuseMissingNumber({ person, by }: Recipient): void {
  if (by !== 'sms' || person.phoneNumber) return
  if (person.phoneUnconfirmed) throw new Problem(403, 'phoneNotConfirmed')
  throw new Problem(422, 'validationFailed', { issues: [{ path: 'codeDeliveryType', message: 'invalidValue' }] })
}

/** @throws Problem 403 where the password came by mail, too, or mail is refused, and the person has something else */
export async function refuseMailAfterReset(
  { db, config }: Pick<CheckContext, 'db' | 'config'>,
  { person, by }: Recipient,
): Promise<void> {
  if (by === 'email' && !(await takesMail(db, person, config.passkeyRpId))) throw new Problem(403, 'mailNotAfterReset')
}

/** Stores the code, its message and the browser's challenge in one transaction. */
function issueAndQueue(context: CheckContext, { person, password, by }: CodeRequest): Promise<void> {
  const { accountId, email, authEpoch } = person
  return context.transact(async (db) => {
    const earlier = await findChallenge(db, context)
    if (earlier?.codeId) await revokeTokens(db, { purpose: codePurpose, subject: earlier.codeId }, context.now)
    if (earlier?.messageId) await withdrawCode(db, earlier.messageId, context.now)
    const codeId = newId()
    const issued = { purpose: codePurpose, subject: codeId }
    const { messageId, expiresAt } = await issueMessage(context, db, { person, by, issued })
    await beginChallenge(db, context, { accountId, email, authEpoch, messageId, codeId, by, password, expiresAt })
  })
}

interface Issued {
  issued: { purpose: string; subject: string }
  /** The mail: to sign in, or to confirm who one is. Text messages have one text. */
  template?: 'login-code' | 'confirm-code'
}

/** Issues a code in place of an earlier one, and queues the message that carries it. */
export async function issueMessage(
  { keys, now, outbox, http }: CheckContext,
  db: Db,
  { person, by, issued, template = 'login-code' }: Recipient & Issued,
): Promise<{ messageId: string; expiresAt: Date }> {
  const { accountId, email, phoneNumber, firstName } = person
  const expiresAt = new Date(now.getTime() + minutes * 60_000)
  const code = await issueCode(db, keys, { ...issued, attempts, now, expiresAt, data: { by } })
  const language = person.preferredLanguage ?? detectLanguage(http.request)
  const message = { language, uselessAfter: expiresAt }
  const messageId =
    by === 'sms' && phoneNumber
      ? await outbox.sms(
          db,
          smsMessage({
            ...message,
            template: 'login-code',
            to: { address: phoneNumber, accountId },
            values: { code, minutes },
          }),
        )
      : await outbox.mail(
          db,
          mailMessage({
            ...message,
            template,
            to: { address: email, accountId },
            values: { firstName, code, minutes },
          }),
        )
  return { messageId, expiresAt }
}

/**
 * Withdraws the unsent SMS of this browser's challenge and refunds its rate limit, so an unavailable gateway uses nothing
 * up. An SMS that is only slow may still arrive, so it keeps counting against the SMS limit, which controls cost.
 */
async function refundStuckSms(context: CheckContext, person: Person): Promise<void> {
  const { db, now, limits } = context
  const challenge = await findChallenge(db, context)
  if (challenge?.accountId !== person.accountId || challenge.messageId === null) return
  const stuck = await withdrawStuckSms(db, challenge.messageId, { now, maxWait })
  if (!stuck) return
  const sent = sendLimits(context, { person, by: 'sms' })
  const counted = stuck === 'failed' ? sent : sent.filter(({ name }) => name === 'smsCodeSend')
  await limits.refund(db, counted, now)
}
