import type { IDToken } from 'openid-client'
import type { companyOidc } from '#contract/saml-configs/oidc-configs.ts'
import { type SamlTestCheck, samlTestChecks } from '#contract/saml-configs/saml-tests.ts'
import { answerUrl, redeemAnswer } from '#server/company-oidc/company-provider.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import { redirectUri } from '#server/company-oidc/redirect-uri.ts'
import { emailClaimOf, extractTokenClaims } from '#server/company-oidc/token-claims.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import type { SignedContent } from '#server/saml/assertion.ts'
import { type Findings, keepResult, listFurtherDomains } from '../../saml-configs/saml-configs.ts'
import { endSetupTest } from './end-setup-test.ts'
import { consumeOidcTest, type OidcTest } from './oidc-test.repository.ts'
import { failuresOf, matchPerson, summarizeChecks } from './summarize-checks.ts'
import { credentialOf } from './tested-values.ts'

type Context = RequestContext<typeof companyOidc.callback>

/**
 * Takes the answer to a test sign-in. It has no ticket of a sign-in and no interaction, so it can sign nobody in.
 *
 * @returns where the result is shown, or undefined if the answer belongs to no test of this configuration
 */
export async function receiveOidcTest(context: Context, providers: Providers): Promise<string | undefined> {
  const { db, keys, now, params, query } = context
  const { id } = params
  const { state } = query
  const test = state && (await consumeOidcTest(db, keys, now, { id, state }))
  if (!test) return undefined
  const samlConfigId = Number(id)
  const result = await examineToken(context, providers, { ...test, state, samlConfigId })
  const ticket = await keepResult(db, keys, now, { ...test, samlConfigId }, result)
  if (test.setup) return endSetupTest(db, test.setup, { ticket, result })
  return `/saml-configuration/${id}/test?${new URLSearchParams({ ticket })}`
}

const ofSamlAlone: readonly SamlTestCheck[] = ['certificate', 'encryption', 'destination']
const checks = samlTestChecks.filter((check) => !ofSamlAlone.includes(check))

/** Checks the answer as a real sign-in would. Writes nothing. */
async function examineToken(
  { db, keys, config, now, query }: Context,
  providers: Providers,
  { samlConfigId, form, setup, ...asked }: OidcTest & { samlConfigId: number; state: string },
): Promise<Findings> {
  const { name, url: issuer, domain, clientId } = form
  const { result: token, found } = await failuresOf(async () => {
    const outsider = setup !== undefined
    const credential = await credentialOf(keys, form)
    const provider = await providers.discover({ issuer, clientId, credential, outsider })
    return redeemAnswer(provider, answerUrl(redirectUri(config, samlConfigId), query), asked, emailClaimOf(form))
  })
  const mailDomains =
    token && setup ? domainsIn(token) : [mailDomainOf(domain), ...(await listFurtherDomains(db, samlConfigId))]
  const claims = token && (await failuresOf(async () => extractTokenClaims(token, mailDomains, form)))
  const match = claims?.result && (await matchPerson(db, keys, samlConfigId, claims.result))
  const failures = [...found, ...(claims?.found ?? []), ...(match?.found ?? [])]
  return summarizeChecks({
    at: now,
    name,
    checks,
    failures,
    content: token && contentOf(token),
    match,
    ignored: claims?.result?.ignored,
  })
}

// As the database takes it from the saved address.
const mailDomainOf = (domain: string) => (/^https?:\/\/([^/:?#]+)/.exec(domain)?.[1] ?? '').toLowerCase()

/** Of a draft no domain is named yet: a super user names it, and until then the address speaks for its own. */
const domainsIn = ({ email }: IDToken): string[] => {
  const domain = typeof email === 'string' && email.length <= 320 ? email.split('@').at(-1) : undefined
  return domain ? [domain.trim().toLowerCase()] : []
}

/** The claims about the person, as a test result shows attributes. */
const contentOf = ({
  iss,
  sub,
  iat: _,
  exp: __,
  nbf: ___,
  nonce: ____,
  at_hash: _____,
  ...claims
}: IDToken): SignedContent => ({
  issuer: iss,
  nameId: sub,
  nameIdFormat: undefined,
  attributes: new Map(
    Object.entries(claims).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value : [value]).map((one) =>
        typeof one === 'object' ? JSON.stringify(one) : String(one),
      ),
    ]),
  ),
})
