import { linesOf } from '#contract/saml-configs/saml-options.ts'
import type { saml } from '#contract/sign-in/saml.ts'
import { recordCompanySignIn } from '#server/features/sign-in/company/record-company-sign-in.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import { recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import type { Assertion } from '#server/saml/assertion.ts'
import { relayStateIn } from '#server/saml/authn-request.ts'
import { extractClaims } from '#server/saml/claims.ts'
import { Refusal } from '#server/saml/refusal.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { verifyResponse } from '#server/saml/verify-response.ts'
import { rememberSamlSession } from '../../saml-sign-out/saml-sign-out.ts'
import { admitPerson } from '../company/admit-person.ts'
import { findCompany, signersOf } from '../company/company.repository.ts'
import { consumeRequest, findRequest, type KnownRequest } from '../company/company-request.repository.ts'
import { emailPageAddress, newSignInAddress } from '../company/email-page.ts'
import { PersonRefusal } from '../company/person-refusal.ts'
import { refuseAnswer } from '../company/refuse-answer.ts'
import { restartAtCompany } from '../company/restart-at-company.ts'
import { receiveTestAnswer } from '../company-test/receive-test-answer.ts'

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
  for (const relayState of relayStatesOf(input)) {
    const request = await findRequest(db, now, relayState)
    if (request && String(request.samlConfigId) === params.id) return answerRequest(context, request)
    const tested = await receiveTestAnswer(context, relayState)
    if (tested) return tested
  }
  const reason = 'unsolicited SAML response'
  const samlConfigId = Number(params.id)
  http.request.log.info({ samlConfigId: params.id }, reason)
  const seen = { now, reference: http.request.id }
  await recordCompanySignIn(db, { ...seen, samlConfigId, failure: 'unsolicited', detail: reason })
  return restartAtCompany(db, { samlConfigId, kind: 'saml' })
}

/** What may name the request: the relay state, or where that was lost or replaced, the answer itself. */
function* relayStatesOf({ RelayState, SAMLResponse = '' }: Context['input']): Generator<string> {
  if (RelayState) yield RelayState
  const named = relayStateIn(SAMLResponse)
  if (named !== undefined && named !== RelayState) yield named
}

/** Handles the response to a request of this configuration. */
async function answerRequest(context: Context, request: KnownRequest): Promise<string> {
  const { db, now, http } = context
  const { uid, email } = request
  if (!request.isOpen) {
    const reason = 'SAML response to a request that was answered or has expired'
    const { samlConfigId } = request
    const seen = { now, reference: http.request.id }
    http.request.log.info({ samlConfigId }, reason)
    await recordCompanySignIn(db, { ...seen, samlConfigId, email, failure: 'late', detail: reason })
    return emailPageAddress(uid, { email, error: 'signInOver' })
  }
  try {
    const { assertion, claims } = await verify(context, request)
    return await admitPerson(context, request, claims, async (trx, about) => {
      if (!(await consumeRequest(trx, now, request))) throw over()
      if (!(await isNew(trx, now, request.samlConfigId, assertion)))
        throw new PersonRefusal('the assertion was used before', 'replayed', about)
      const { samlConfigId, uid } = request
      if (about.person)
        await rememberSamlSession(trx, context, { samlConfigId, uid, ...about.person, subject: assertion.subject })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuseAnswer(context, request, error)
  }
}

/** @throws Refusal for any invalid response */
async function verify({ db, config, keys, now, input }: Context, request: KnownRequest) {
  const { samlConfigId: id, requestId, forceAuthn, askedAt } = request
  const company = await findCompany(db, id)
  if (!company) throw over()
  const assertion = await verifyResponse(input.SAMLResponse ?? '', signersOf(keys, company), {
    entityId: company.entityId,
    acsUrl: acsUrl(config, id),
    audience: ownEntityId(config, id),
    requestId,
    now,
    clockSkew: company.clockSkewSeconds * 1000,
    authenticatedSince: forceAuthn ? askedAt : undefined,
    authnContexts: linesOf(company.authnContexts),
  })
  return { assertion, claims: extractClaims(assertion, company) }
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
