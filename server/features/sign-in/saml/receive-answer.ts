import type { MessageKey } from '#contract/message-key.ts'
import type { saml } from '#contract/saml.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import { recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import type { Assertion } from '#server/saml/assertion.ts'
import { extractClaims } from '#server/saml/claims.ts'
import { Refusal } from '#server/saml/refusal.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { verifyResponse } from '#server/saml/verify-response.ts'
import { findPerson, type Person } from '../people.repository.ts'
import { refuseSignIn } from '../refuse-sign-in.ts'
import { receiveTestAnswer } from '../saml-test/receive-test-answer.ts'
import { findAssertedPerson, findSamlAccess } from './asserted-person.ts'
import { findCompany, signersOf } from './company.repository.ts'
import { emailPageAddress, newSignInAddress } from './email-page.ts'
import { PersonRefusal } from './person-refusal.ts'
import { recordSamlSignIn } from './record-saml-sign-in.ts'
import { consumeRequest, findRequest, type KnownRequest, rememberRefusal } from './saml-request.repository.ts'
import { issueSamlTicket } from './saml-ticket.ts'

type Context = RequestContext<typeof saml.answer>

/**
 * Handles a SAML response. A response does not prove which browser started the sign-in, so it signs no one in: it creates
 * a ticket that only the starting browser can use. The sign-in page shows every error.
 */
export async function receiveAnswer(context: Context): Promise<string> {
  const { db, now, params, input, limits, ip, http } = context
  try {
    await limits.take(db, [{ name: 'samlSignIn', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return newSignInAddress(error.key)
    throw error
  }
  const seen = { now, reference: http.request.id }
  const request = input.RelayState && (await findRequest(db, now, input.RelayState))
  if (!request || String(request.samlConfigId) !== params.id) {
    const tested = await receiveTestAnswer(context)
    if (tested) return tested
    const reason = 'unsolicited SAML response'
    http.request.log.info({ samlConfigId: params.id }, reason)
    await recordSamlSignIn(db, { ...seen, samlConfigId: Number(params.id), failure: 'unsolicited', detail: reason })
    return newSignInAddress('signInOver')
  }
  const { uid, email } = request
  if (!request.isOpen) {
    const reason = 'SAML response to a request that was answered or has expired'
    const { samlConfigId } = request
    http.request.log.info({ samlConfigId }, reason)
    await recordSamlSignIn(db, { ...seen, samlConfigId, email, failure: 'late', detail: reason })
    return emailPageAddress(uid, { email, error: 'signInOver' })
  }
  try {
    const ticket = await admit(context, request)
    return `/interaction/${uid}/saml/complete?${new URLSearchParams({ ticket })}`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return emailPageAddress(uid, { email, error: await refuse(context, request, error), reference: http.request.id })
  }
}

/** Verifies the response and issues a ticket. @throws Refusal for any invalid response or person */
async function admit(context: Context, request: KnownRequest): Promise<string> {
  const { db, keys, now, http } = context
  const { samlConfigId, uid } = request
  const assertion = await verify(context, request)
  const claims = extractClaims(assertion)
  const person = await findAssertedPerson(db, keys, samlConfigId, claims)
  const about = { person, email: person?.email ?? claims.emails[0] }
  if (!person) throw new PersonRefusal('the configuration has no such person', 'unknownPerson', about, 'samlRefused')
  const { allowed, active } = await findSamlAccess(db, samlConfigId, person)
  if (!allowed)
    throw new PersonRefusal('the configuration may not sign this account in', 'notAllowed', about, 'samlRefused')
  if (!active) throw new PersonRefusal('the configuration is switched off', 'switchedOff', about, 'samlRefused')
  if (!person.active && !person.awaited)
    throw new PersonRefusal('the person is passive', 'passive', about, 'samlRefused')
  return context.transact(async (trx) => {
    if (!(await consumeRequest(trx, now, request.token))) throw over()
    if (!(await isNew(trx, now, samlConfigId, assertion)))
      throw new PersonRefusal('the assertion was used before', 'replayed', about)
    await recordSamlSignIn(trx, { samlConfigId, now, email: person.email, reference: http.request.id })
    return issueSamlTicket(trx, now, { uid, samlConfigId, person })
  })
}

async function verify({ db, config, now, input }: Context, request: KnownRequest): Promise<Assertion> {
  const { samlConfigId: id, requestId, forceAuthn, askedAt } = request
  const company = await findCompany(db, id)
  if (!company) throw over()
  return verifyResponse(input.SAMLResponse ?? '', signersOf(company), {
    entityId: company.entityId,
    acsUrl: acsUrl(config, id),
    audience: ownEntityId(config, id),
    requestId,
    now,
    authenticatedSince: forceAuthn ? askedAt : undefined,
  })
}

const over = () => new Refusal('the request was answered already', { key: 'signInOver' })

const isNew = (db: Context['db'], now: Date, samlConfigId: number, { id, overAt }: Assertion): Promise<boolean> =>
  recordOnce(db, {
    purpose: 'samlAssertion',
    subject: String(samlConfigId),
    token: `${samlConfigId} ${id}`,
    now,
    expiresAt: overAt,
  })

/** Uses the request up, logs and audits the reason. @returns the message for the person */
async function refuse(context: Context, request: KnownRequest, refusal: Refusal): Promise<MessageKey> {
  const { db, now, limits, ip, http } = context
  const { samlConfigId, token } = request
  const { key, message: reason, failure, cause } = refusal
  const about = refusal instanceof PersonRefusal ? refusal.about : undefined
  http.request.log.warn({ samlConfigId, reason, err: cause }, 'SAML response refused')
  // The other of two concurrent responses is being accepted.
  if (key === 'signInOver') return key
  await consumeRequest(db, now, token)
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
      recordSamlSignIn(trx, { samlConfigId, now, email, failure, detail: reason, reference: http.request.id }),
  })
  return key
}
