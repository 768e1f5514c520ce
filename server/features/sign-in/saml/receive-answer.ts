import type { MessageKey } from '#contract/message-key.ts'
import type { saml } from '#contract/saml.ts'
import { addressKey } from '#server/platform/address.ts'
import { rememberOnce } from '#server/platform/one-time.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { findPerson, type Person } from '../people.repository.ts'
import { refuseSignIn } from '../refuse-sign-in.ts'
import { claimsOf, findAssertedPerson } from './asserted-person.ts'
import type { Assertion } from './assertion.ts'
import { acsUrl, findCompany, ownEntityId } from './company.repository.ts'
import { Refusal } from './refusal.ts'
import { answerRequest, findRequest, type KnownRequest, rememberRefused } from './saml-request.repository.ts'
import { giveSamlTicket } from './saml-ticket.ts'
import { beginAgain, signInPage } from './sign-in-page.ts'
import { verifyAnswer } from './verify-answer.ts'

type Context = RequestContext<typeof saml.answer>

/**
 * An answer has come. It says nothing about the browser that brings it, so it signs nobody in: it leaves a ticket, which
 * only the browser can use that asked. Whatever is wrong is told on the sign-in page.
 */
export async function receiveAnswer(context: Context): Promise<string> {
  const { db, now, params, input, limits, ip, http } = context
  try {
    await limits.take(db, [{ name: 'samlSignIn', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return beginAgain(error.key)
    throw error
  }
  const request = input.RelayState && (await findRequest(db, now, input.RelayState))
  if (!request || String(request.samlConfigId) !== params.id) {
    http.request.log.info({ samlConfigId: params.id }, 'a company answered what nobody had asked')
    return beginAgain('signInOver')
  }
  const { uid, email } = request
  if (!request.isOpen) {
    http.request.log.info({ samlConfigId: request.samlConfigId }, 'a company answered again, or too late')
    return signInPage(uid, { email, error: 'signInOver' })
  }
  try {
    const ticket = await admit(context, request)
    return `/interaction/${uid}/saml/complete?${new URLSearchParams({ ticket })}`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return signInPage(uid, { email, error: await refuse(context, request, error) })
  }
}

/** @throws Refusal, for whatever reason there is no ticket */
async function admit(context: Context, request: KnownRequest): Promise<string> {
  const { db, keys, now } = context
  const { samlConfigId, uid } = request
  const assertion = await verify(context, request)
  const claims = claimsOf(assertion)
  const person = await findAssertedPerson(db, keys, samlConfigId, claims)
  const about = { person, email: person?.email ?? claims.emails[0] }
  if (!person) throw new Refusal('the configuration has no such person', { key: 'samlRefused', about })
  if (!person.active && !person.awaited)
    throw new Refusal(person.passive ? 'the person is passive' : 'the person has not accepted the invitation', {
      key: 'samlRefused',
      about,
    })
  return context.transact(async (trx) => {
    if (!(await answerRequest(trx, now, request.token))) throw over()
    if (!(await isNew(trx, now, samlConfigId, assertion))) throw new Refusal('the assertion came before', { about })
    return giveSamlTicket(trx, now, { uid, samlConfigId, person })
  })
}

async function verify({ db, config, now, input }: Context, request: KnownRequest): Promise<Assertion> {
  const { samlConfigId: id, requestId, anew, askedAt } = request
  const company = await findCompany(db, id)
  if (!company) throw over()
  return verifyAnswer(input.SAMLResponse ?? '', company, {
    entityId: company.entityId,
    acsUrl: acsUrl(config, id),
    audience: ownEntityId(config, id),
    requestId,
    now,
    authenticatedSince: anew ? askedAt : undefined,
  })
}

const over = () => new Refusal('the request was answered already', { key: 'signInOver' })

const isNew = (db: Context['db'], now: Date, samlConfigId: number, { id, overAt }: Assertion): Promise<boolean> =>
  rememberOnce(db, {
    purpose: 'samlAssertion',
    subject: String(samlConfigId),
    token: `${samlConfigId} ${id}`,
    now,
    expiresAt: overAt,
  })

/** Uses the request up, tells the log and the audit why, and says what the person is told. */
async function refuse(context: Context, request: KnownRequest, refusal: Refusal): Promise<MessageKey> {
  const { db, now, limits, ip, http } = context
  const { samlConfigId, token } = request
  const { key, message: reason, cause, about } = refusal
  http.request.log.warn({ samlConfigId, reason, err: cause }, 'the answer of a company was refused')
  // Of two that came at once, the other one is being let in.
  if (key === 'signInOver') return key
  await answerRequest(db, now, token)
  if (key === 'samlRefused') await rememberRefused(db, now, request.uid)
  try {
    await limits.take(db, [{ name: 'samlFailures', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return error.key
    throw error
  }
  const person: Person | undefined = about ? about.person : await findPerson(db, request.email)
  await refuseSignIn(context, { email: about?.email ?? request.email, person, proven: about !== undefined, reason })
  return key
}
