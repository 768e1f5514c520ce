import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import type { saml } from '#contract/saml.ts'
import { findInteraction, restartAddress } from '#server/oidc/interactions.ts'
import { addressKey } from '#server/platform/address.ts'
import { Problem } from '#server/platform/problem.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import { randomToken } from '#server/platform/tokens.ts'
import { authnRequestAddress } from './authn-request.ts'
import { acsUrl, findCompanyOf, ownEntityId } from './company.repository.ts'
import { rememberRequest, wasRefused } from './saml-request.repository.ts'
import { signInPage } from './sign-in-page.ts'
import { signingKeys } from './signing-keys.ts'

/** Sends the browser on to the company of an address; where there is none, back with a word about it. */
export async function beginSaml(context: RequestContext<typeof saml.begin>): Promise<string> {
  const { db, now, config, keys, limits, params, query, http, ip } = context
  const interaction = await findInteraction(context, http.request, params.uid)
  if (!interaction) return restartAddress(db, params.uid, query.email)
  const { uid } = interaction
  const given = query.email ?? interaction.loginHint
  if (!given) return signInPage(uid, {})
  const read = z.safeParse(emailField, given)
  if (!read.success) return signInPage(uid, { email: given, error: 'invalidEmail' })
  const email = read.data
  try {
    await limits.take(db, [{ name: 'samlSignIn', key: addressKey(ip) }], now)
  } catch (error) {
    if (error instanceof Problem) return signInPage(uid, { email, error: error.key })
    throw error
  }
  const company = await findCompanyOf(db, email)
  if (!company) return signInPage(uid, { email, error: 'samlFailed' })
  const { id: samlConfigId, url, requestSigningEnabled } = company
  const requestId = `_${randomToken()}`
  const { anew } = interaction
  const relayState = await rememberRequest(db, now, { samlConfigId, requestId, uid, email, anew })
  return authnRequestAddress({
    id: requestId,
    destination: url,
    issuer: ownEntityId(config, samlConfigId),
    acsUrl: acsUrl(config, samlConfigId),
    now,
    anew: anew || (await wasRefused(db, uid)),
    relayState,
    key: requestSigningEnabled ? signingKeys(keys)[0]?.key : undefined,
  })
}
