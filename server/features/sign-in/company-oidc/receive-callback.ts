import type { companyOidc } from '#contract/saml-configs/oidc-configs.ts'
import { answerUrl, redeemAnswer } from '#server/company-oidc/company-provider.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import { redirectUri } from '#server/company-oidc/redirect-uri.ts'
import { emailClaimOf, extractTokenClaims } from '#server/company-oidc/token-claims.ts'
import { recordCompanySignIn } from '#server/features/sign-in/company/record-company-sign-in.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Claims } from '#server/saml/claims.ts'
import { ensure, Refusal } from '#server/saml/refusal.ts'
import { admitPerson } from '../company/admit-person.ts'
import { findCompany } from '../company/company.repository.ts'
import { consumeRequest, type KnownRequest } from '../company/company-request.repository.ts'
import { emailPageAddress, newSignInAddress } from '../company/email-page.ts'
import { refuseAnswer } from '../company/refuse-answer.ts'
import { restartAtCompany } from '../company/restart-at-company.ts'
import { receiveOidcTest } from '../company-test/receive-oidc-test.ts'
import { providerOf } from './company-credentials.ts'
import { askedOf, findOidcRequest } from './oidc-request.ts'

/** What taking the answer of a provider needs. */
export type CallbackContext = RequestContext<typeof companyOidc.callback>

/** Clocks may differ by this much; milliseconds. */
const skew = 30_000

/**
 * Handles the answer of a company's OpenID Provider. The cookie of the interaction is not sent to this address, so the
 * answer signs no one in: it creates a ticket that only the browser that began can use, as with SAML.
 */
export async function receiveCallback(context: CallbackContext, providers: Providers): Promise<string> {
  const { db, now, params, query, limits, ip, http } = context
  try {
    await limits.take(db, [{ name: 'samlSignIn', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return newSignInAddress(error.key)
    throw error
  }
  const seen = { now, reference: http.request.id }
  const request = query.state && (await findOidcRequest(db, now, query.state))
  if (!request || String(request.samlConfigId) !== params.id) {
    const tested = await receiveOidcTest(context, providers)
    if (tested) return tested
    const reason = 'unsolicited OpenID Connect answer'
    http.request.log.info({ samlConfigId: params.id }, reason)
    await recordCompanySignIn(db, { ...seen, samlConfigId: Number(params.id), failure: 'unsolicited', detail: reason })
    // It says that nobody was signed in there: asking again would lead in circles.
    if (query.error) return newSignInAddress('samlDeclined')
    return restartAtCompany(db, { samlConfigId: Number(params.id), kind: 'oidc' })
  }
  const { uid, email, samlConfigId } = request
  // Before the code is redeemed: of several answers one is looked at.
  if (!request.isOpen || !(await consumeRequest(db, now, request))) {
    const reason = 'OpenID Connect answer to a request that was answered or has expired'
    http.request.log.info({ samlConfigId }, reason)
    await recordCompanySignIn(db, { ...seen, samlConfigId, email, failure: 'late', detail: reason })
    return emailPageAddress(uid, { email, error: 'signInOver' })
  }
  try {
    return await admitPerson(context, request, await redeem(context, providers, request))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuseAnswer(context, request, error)
  }
}

/** @throws Refusal for any answer that is not right */
async function redeem(context: CallbackContext, providers: Providers, request: KnownRequest): Promise<Claims> {
  const { db, keys, config, query } = context
  const company = await findCompany(db, request.samlConfigId)
  ensure(company?.kind === 'oidc', 'the configuration was deleted')
  const provider = await providerOf(context, providers, company)
  const answer = answerUrl(redirectUri(config, company.id), query)
  const token = await redeemAnswer(provider, answer, await askedOf(keys, request), emailClaimOf(company))
  ensure(
    !request.forceAuthn || Number(token.auth_time) * 1000 >= request.askedAt.getTime() - skew,
    'the person did not authenticate again',
    'notReauthenticated',
  )
  return extractTokenClaims(token, company.mailDomains, company)
}
