import type { CodeDeliveryType } from '#contract/sign-in.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { Problem } from '#server/platform/problem.ts'
import { issueCode } from '#server/platform/secrets/one-time-tokens.ts'
import { mailMessage, smsMessage } from '../email-templates/email-templates.ts'
import { beginChallenge, findChallenge } from './challenge.ts'
import { withdrawCodes, withdrawStuckSms } from './code-delivery.repository.ts'
import type { CheckContext } from './credentials.ts'
import type { Person } from './people.repository.ts'

/** The purpose of the one-time codes: the sign-in of one account. */
export const codePurpose = 'loginCode'
const minutes = 10
const attempts = 5
/** Seconds after which an unsent SMS counts as stuck; soon after, the page offers e-mail instead. */
const maxWait = 2

interface CodeRequest {
  /** The person whose password has just been checked. */
  person: Person
  password: string
  by: CodeDeliveryType
}

/**
 * Sends a code, invalidates any earlier one, and binds it to this browser.
 *
 * @throws Problem 422 for an SMS to a person without a phone number, 429 when too many were sent
 */
export async function sendCode(context: CheckContext, request: CodeRequest): Promise<void> {
  const { by } = request
  const { accountId, phoneNumber } = request.person
  if (by === 'sms' && !phoneNumber)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'codeDeliveryType', message: 'invalidValue' }] })
  await refundStuckSms(context, accountId)
  const names = by === 'sms' ? (['smsCodeSend', 'smsSend'] as const) : (['codeSend'] as const)
  const sends = names.map((name): LimitKey => ({ name, key: accountId }))
  await withAttemptLimit(context, sends, () => issueAndQueue(context, request))
}

/** Stores the code, its message and the browser's challenge in one transaction. */
function issueAndQueue(context: CheckContext, { person, password, by }: CodeRequest): Promise<void> {
  const { accountId, email, phoneNumber, firstName, authEpoch } = person
  return context.transact(async (db) => {
    const { keys, now, outbox, http } = context
    const expiresAt = new Date(now.getTime() + minutes * 60_000)
    // A concurrent request for the same account waits here until this transaction commits.
    const code = await issueCode(db, keys, { purpose: codePurpose, subject: accountId, attempts, now, expiresAt })
    await withdrawCodes(db, accountId, now)
    const language = person.preferredLanguage ?? detectLanguage(http.request)
    const message = { language, template: 'login-code', uselessAfter: expiresAt } as const
    const messageId =
      by === 'sms' && phoneNumber
        ? await outbox.sms(
            db,
            smsMessage({ ...message, to: { address: phoneNumber, accountId }, values: { code, minutes } }),
          )
        : await outbox.mail(
            db,
            mailMessage({ ...message, to: { address: email, accountId }, values: { firstName, code, minutes } }),
          )
    await beginChallenge(db, context, { accountId, email, authEpoch, messageId, by, password, expiresAt })
  })
}

/**
 * Withdraws the unsent SMS of this browser's challenge and refunds its rate limit, so an unavailable gateway uses nothing
 * up. An SMS that is only slow may still arrive, so it keeps counting against the SMS limit, which controls cost.
 */
async function refundStuckSms(context: CheckContext, accountId: string): Promise<void> {
  const { db, now, limits } = context
  const challenge = await findChallenge(db, context)
  if (challenge?.accountId !== accountId) return
  const stuck = await withdrawStuckSms(db, challenge.messageId, { now, maxWait })
  if (!stuck) return
  const counted: LimitKey[] = [{ name: 'smsCodeSend', key: accountId }]
  if (stuck === 'failed') counted.push({ name: 'smsSend', key: accountId })
  await limits.refund(db, counted, now)
}
