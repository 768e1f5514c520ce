import { errors, interactionPolicy, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { sameRequest } from './same-request.ts'

/** The values of `acr`: with how many factors somebody signed in (docs/services.md). */
export const oneFactor = 'urn:vestibule:acr:one-factor'
export const twoFactors = 'urn:vestibule:acr:two-factors'

/** The prompt of a person whom a service asks for two factors. */
export const strongerSignIn = 'stronger_sign_in'

type Oidc = Pick<KoaContextWithOIDC['oidc'], 'claims' | 'session'>

/** What a request asks for, by `acr_values` or by the claim `acr` of the ID token. */
function askedOf({ claims }: Oidc): { values: unknown[]; essential: boolean } {
  const { values, value, essential } = (claims?.id_token?.acr ?? {}) as Record<string, unknown>
  if (values !== undefined && !Array.isArray(values)) throw new errors.InvalidRequest('the values of acr are no list')
  return { values: values ?? (value === undefined ? [] : [value]), essential: essential === true }
}

/** Two factors are one as well, for a service that asks for no more. */
function acrOf(oidc: Oidc): string {
  const present = oidc.session?.amr?.includes('mfa') ? twoFactors : oneFactor
  const { values } = askedOf(oidc)
  return !values.includes(present) && values.includes(oneFactor) ? oneFactor : present
}

/** The provider keeps the `acr` of a sign-in; ours follows from what the session has proven, which may grow. */
export function deriveAcr(provider: Provider): void {
  const { prototype } = (provider as unknown as { OIDCContext: { prototype: Oidc } }).OIDCContext
  Object.defineProperty(prototype, 'acr', {
    get(this: Oidc) {
      return acrOf(this)
    },
  })
}

/** A second factor is asked for where a service wants it. An essential value that the portal does not have is an error. */
export function strongerSignInPrompt() {
  const { Check, Prompt } = interactionPolicy
  const check = new Check(
    'two_factors_required',
    'the session has one factor, and two are asked for',
    'unmet_authentication_requirements',
    ({ oidc }) => {
      const { values, essential } = askedOf(oidc)
      if (values.length === 0 || values.includes(acrOf(oidc))) return Check.NO_NEED_TO_PROMPT
      if (values.includes(twoFactors) && (essential || !oidc.promptPending('none'))) return Check.REQUEST_PROMPT
      if (essential) throw new errors.UnmetAuthenticationRequirements('the portal has none of the acr values')
      return Check.NO_NEED_TO_PROMPT
    },
  )
  return new Prompt({ name: strongerSignIn, requestable: false }, check)
}

/** The portal's page asks for a code, and then sends the same request again. */
export const strongerSignInUrl = (oidc: KoaContextWithOIDC['oidc']): string =>
  `/stronger-sign-in?${new URLSearchParams({ returnTo: sameRequest(oidc) })}`
