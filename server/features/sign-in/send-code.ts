import { countedFirst } from '#server/platform/counted-first.ts'
import type { LimitKey } from '#server/platform/limits.ts'
import { issueCode } from '#server/platform/one-time.ts'
import { Problem } from '#server/platform/problem.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { mailMessage, smsMessage } from '../email-templates/email-templates.ts'
import { beginChallenge, findChallenge } from './challenge.ts'
import { withdrawCodes, withdrawStuckSms } from './code-delivery.repository.ts'
import type { CheckContext } from './credentials.ts'
import type { Person } from './people.repository.ts'

/** What a code is good for: the sign-in of one account. */
export const codePurpose = 'loginCode'
const minutes = 10
const attempts = 5
/** Seconds after which an SMS that has not left need not be waited for: the page offers e-mail a little later. */
const patience = 2

interface CodeRequest {
  /** Whose password has just been checked. */
  person: Person
  password: string
  by: 'email' | 'sms'
}

/**
 * Sends a code in place of any earlier one, and binds it to this browser.
 *
 * @throws Problem 422 for an SMS to somebody without a number, 429 when too many were sent
 */
export async function sendCode(context: CheckContext, request: CodeRequest): Promise<void> {
  const { by } = request
  const { accountId, phoneNumber } = request.person
  if (by === 'sms' && !phoneNumber)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'codeDeliveryType', message: 'invalidValue' }] })
  await giveBackStuckSms(context, accountId)
  const sends: LimitKey[] = [{ name: 'codeSend', key: accountId }]
  if (by === 'sms') sends.push({ name: 'smsSend', key: accountId })
  await countedFirst(context, sends, () => issueAndQueue(context, request))
}

/** Of its own transaction: the code, the message that carries it, and the browser that may use it. */
function issueAndQueue(context: CheckContext, { person, password, by }: CodeRequest): Promise<void> {
  const { accountId, email, phoneNumber, firstName, authEpoch } = person
  return context.transact(async (db) => {
    const { keys, now, outbox, http } = context
    const expiresAt = new Date(now.getTime() + minutes * 60_000)
    // Whoever asks at the same moment waits here until this transaction is through.
    const code = await issueCode(db, keys, { purpose: codePurpose, subject: accountId, attempts, now, expiresAt })
    await withdrawCodes(db, accountId, now)
    const language = person.preferredLanguage ?? requestLanguage(http.request)
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
    await beginChallenge(db, context, { accountId, email, authEpoch, messageId, password, expiresAt })
  })
}

/**
 * A gateway that is down uses nothing up: the SMS that this browser waits for in vain is taken back, and counts as not
 * sent. One that is only slow may still arrive, so it stays one of the messages that cost money.
 */
async function giveBackStuckSms(context: CheckContext, accountId: string): Promise<void> {
  const { db, now, limits } = context
  const challenge = await findChallenge(db, context)
  if (challenge?.accountId !== accountId) return
  const stuck = await withdrawStuckSms(db, challenge.messageId, { now, patience })
  if (!stuck) return
  const counted: LimitKey[] = [{ name: 'codeSend', key: accountId }]
  if (stuck === 'failed') counted.push({ name: 'smsSend', key: accountId })
  await limits.refund(db, counted, now)
}
