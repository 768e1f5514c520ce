import { errors, interactionPolicy, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { allMethods } from '#contract/sign-in-methods.ts'
import { publicAmr } from '../sign-in-method.ts'
import { sameRequest } from './same-request.ts'

/** The values of `acr`: with how many factors somebody signed in (docs/services.md). */
export const oneFactor = 'urn:vestibule:acr:one-factor'
export const twoFactors = 'urn:vestibule:acr:two-factors'
/** OpenID Connect Extended Authentication Profile: a passkey or security key. */
export const phishingResistant = 'phr'

/** The prompt of a person whom a service asks for two factors. */
export const strongerSignIn = 'stronger_sign_in'

type Oidc = Pick<KoaContextWithOIDC['oidc'], 'claims' | 'session'>

/** What a request asks for, by `acr_values` or by the claim `acr` of the ID token. */
function askedOf({ claims }: Oidc): { values: unknown[]; essential: boolean } {
  const { values, value, essential } = (claims?.id_token?.acr ?? {}) as Record<string, unknown>
  if (values !== undefined && !Array.isArray(values)) throw new errors.InvalidRequest('the values of acr are no list')
  return { values: values ?? (value === undefined ? [] : [value]), essential: essential === true }
}

const resisting = allMethods.flatMap(([, { phishingResistant, mark }]) => (phishingResistant ? [mark] : []))

/** The value that a session has reached, after those that it is as well. */
function reachedBy(amr: readonly string[] = []): [string, ...string[]] {
  if (!amr.includes('mfa')) return [oneFactor]
  return resisting.some((mark) => amr.includes(mark))
    ? [phishingResistant, twoFactors, oneFactor]
    : [twoFactors, oneFactor]
}

/** The strongest value that the service asks for, of those that the session has reached; without one, the strongest. */
function acrOf(oidc: Oidc): string {
  const reached = reachedBy(oidc.session?.amr)
  const { values } = askedOf(oidc)
  return reached.find((value) => values.includes(value)) ?? reached[0]
}

/**
 * The provider keeps the `acr` of a sign-in; ours follows from what the session has proven, which may grow. Of its `amr`
 * services get what has a public name.
 */
export function deriveAcr(provider: Provider): void {
  const { prototype } = (provider as unknown as { OIDCContext: { prototype: Oidc } }).OIDCContext
  Object.defineProperties(prototype, {
    acr: {
      get(this: Oidc) {
        return acrOf(this)
      },
    },
    amr: {
      get(this: Oidc) {
        return this.session?.amr && publicAmr(this.session.amr)
      },
    },
  })
}

/** Stronger proof is asked for where a service wants it. An essential value that the portal does not have is an error. */
export function strongerSignInPrompt() {
  const { Check, Prompt } = interactionPolicy
  const check = new Check(
    'two_factors_required',
    'the session has proven less than is asked for',
    'unmet_authentication_requirements',
    ({ oidc }) => {
      const { values, essential } = askedOf(oidc)
      if (values.length === 0 || values.includes(acrOf(oidc))) return Check.NO_NEED_TO_PROMPT
      const canGrow = values.includes(twoFactors) || (essential && values.includes(phishingResistant))
      if (canGrow && (essential || !oidc.promptPending('none'))) return Check.REQUEST_PROMPT
      if (essential) throw new errors.UnmetAuthenticationRequirements('the portal has none of the acr values')
      return Check.NO_NEED_TO_PROMPT
    },
  )
  return new Prompt({ name: strongerSignIn, requestable: false }, check)
}

/** The portal's page asks for a code or, where nothing less will do, a passkey, and then sends the same request again. */
export function strongerSignInUrl(oidc: KoaContextWithOIDC['oidc']): string {
  const onlyPasskey = !askedOf(oidc).values.includes(twoFactors)
  return `/stronger-sign-in?${new URLSearchParams({ returnTo: sameRequest(oidc), ...(onlyPasskey && { factor: 'passkey' }) })}`
}
