import { askProvider, createProof } from '#server/company-oidc/company-provider.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import { redirectUri } from '#server/company-oidc/redirect-uri.ts'
import { recordCompanySignIn } from '#server/features/sign-in/company/record-company-sign-in.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Refusal } from '#server/saml/refusal.ts'
import type { Company } from '../company/company.repository.ts'
import { emailPageAddress } from '../company/email-page.ts'
import { providerOf } from './company-credentials.ts'
import { rememberOidcRequest } from './oidc-request.ts'

type Context = Pick<RequestContext, 'db' | 'config' | 'keys' | 'now' | 'http'>

interface Begun {
  company: Company
  /** The interaction. */
  uid: string
  email: string
  /** The answer must say that the person authenticated after now. */
  forceAuthn: boolean
  /** The provider is asked for that. */
  reauthenticate: boolean
}

/** Redirects the browser to a company's OpenID Provider, or back to the e-mail page where that cannot be reached. */
export async function beginOidc(
  context: Context,
  providers: Providers,
  { company, uid, email, forceAuthn, reauthenticate }: Begun,
): Promise<string> {
  const { db, now, config, http } = context
  const { id: samlConfigId } = company
  const reference = http.request.id
  try {
    const provider = await providerOf(context, providers, company)
    const proof = createProof()
    const state = await rememberOidcRequest(context, proof, { samlConfigId, uid, email, forceAuthn })
    return await askProvider(provider, {
      redirectUri: redirectUri(config, samlConfigId),
      state,
      ...proof,
      email,
      reauthenticate,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { failure, message: detail, cause } = error
    http.request.log.warn({ samlConfigId, reason: detail, err: cause }, 'OpenID Provider of a company not available')
    await recordCompanySignIn(db, { samlConfigId, now, email, failure, detail, reference })
    return emailPageAddress(uid, { email, error: 'samlFailed', reference })
  }
}
