import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { linesOf } from '#contract/saml-configs/saml-options.ts'
import type { saml } from '#contract/sign-in/saml.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import { findInteraction } from '#server/oidc/interactions.ts'
import { mustAskAgain } from '#server/oidc/logout/ask-again.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { Problem } from '#server/platform/problem.ts'
import { authnRequestXml, requestIdOf } from '#server/saml/authn-request.ts'
import { sendMessage } from '#server/saml/send-message.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'
import { findCompany, findCompanyOf } from '../company/company.repository.ts'
import { rememberRequest, wasRefused } from '../company/company-request.repository.ts'
import { emailPageAddress } from '../company/email-page.ts'
import { beginOidc } from '../company-oidc/begin-oidc.ts'

/** Redirects the browser to the identity provider for an address; without one, back to the e-mail page with an error. */
export async function beginSaml(context: RequestContext<typeof saml.begin>, providers: Providers): Promise<string> {
  const { db, now, config, keys, limits, params, query, http, ip } = context
  const interaction = await findInteraction(context, http.request, params.uid)
  if (!interaction) return restartSignIn(context, params.uid, query.email)
  const { uid } = interaction
  const given = query.email ?? interaction.loginHint
  if (!given && !query.company) return emailPageAddress(uid, {})
  const read = z.safeParse(emailField, given)
  if (!read.success && !query.company) return emailPageAddress(uid, { email: given, error: 'invalidEmail' })
  const email = read.data ?? ''
  try {
    await limits.take(db, [{ name: 'samlSignIn', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return emailPageAddress(uid, { email, error: error.key })
    throw error
  }
  const company = query.company ? await findCompany(db, Number(query.company)) : await findCompanyOf(db, email)
  if (!company?.active) return emailPageAddress(uid, { email, error: 'samlFailed' })
  const { reauthenticate: forceAuthn } = interaction
  const reauthenticate = forceAuthn || mustAskAgain(http.request, config) || (await wasRefused(db, uid))
  if (company.kind === 'oidc') return beginOidc(context, providers, { company, uid, email, forceAuthn, reauthenticate })
  const { id: samlConfigId, url, requestSigningEnabled } = company
  const relayState = await rememberRequest(db, now, { samlConfigId, uid, email, forceAuthn })
  const xml = authnRequestXml({
    id: requestIdOf(relayState),
    destination: url,
    issuer: ownEntityId(config, samlConfigId),
    acsUrl: acsUrl(config, samlConfigId),
    now,
    forceAuthn: reauthenticate,
    nameIdFormat: company.nameIdFormat,
    authnContexts: linesOf(company.authnContexts),
  })
  return sendMessage({
    ...{ db, now, baseUrl: config.baseUrl, id: samlConfigId, byPost: company.postRequests },
    ...{ destination: url, name: 'SAMLRequest', xml, relayState },
    key: requestSigningEnabled ? loadSigningKeys(keys)[0]?.key : undefined,
  })
}
