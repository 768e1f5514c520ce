import type { MessageKey } from '#contract/message-key.ts'
import { findPerson, type Person } from '#server/credentials/people.repository.ts'
import { refuseSignIn } from '#server/credentials/refuse-sign-in.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Refusal } from '#server/saml/refusal.ts'
import { consumeRequest, type KnownRequest, rememberRefusal } from './company-request.repository.ts'
import { emailPageAddress } from './email-page.ts'
import { PersonRefusal } from './person-refusal.ts'
import { recordCompanySignIn } from './record-company-sign-in.repository.ts'

type Context = Pick<RequestContext, 'db' | 'now' | 'limits' | 'ip' | 'http' | 'outbox' | 'transact' | 'counters'>

/** Uses the request of a refused answer up, logs and audits the reason. @returns the sign-in page with the message */
export async function refuseAnswer(context: Context, request: KnownRequest, refusal: Refusal): Promise<string> {
  const { uid, email } = request
  return emailPageAddress(uid, {
    email,
    error: await recordRefusal(context, request, refusal),
    reference: context.http.request.id,
  })
}

async function recordRefusal(context: Context, request: KnownRequest, refusal: Refusal): Promise<MessageKey> {
  const { db, now, limits, ip, http } = context
  const { samlConfigId, purpose } = request
  const { key, message: reason, failure, cause } = refusal
  const about = refusal instanceof PersonRefusal ? refusal.about : undefined
  const answer = purpose === 'samlRequest' ? 'SAML response' : 'OpenID Connect answer'
  http.request.log.warn({ samlConfigId, reason, err: cause }, `${answer} refused`)
  // The other of two concurrent responses is being accepted.
  if (key === 'signInOver') return key
  await consumeRequest(db, now, request)
  if (key === 'samlRefused') await rememberRefusal(db, now, request.uid)
  try {
    await limits.take(db, [{ name: 'samlFailures', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return error.key
    throw error
  }
  const person: Person | undefined = about ? about.person : await findPerson(db, request.email)
  const email = about?.email ?? request.email
  await refuseSignIn(context, {
    email,
    person,
    method: 'saml',
    uid: request.uid,
    proven: about !== undefined,
    reason,
    alongside: (trx) =>
      recordCompanySignIn(trx, { samlConfigId, now, email, failure, detail: reason, reference: http.request.id }),
  })
  return key
}
