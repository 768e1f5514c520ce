import { errors, type Provider } from 'oidc-provider'

/** Signed texts, which say more: ID tokens name organisations, and APIs are asked about access tokens. */
const ofTokens = 16_000
const longest: Partial<Record<string, number>> = {
  claims: 4000,
  client_assertion: ofTokens,
  code_verifier: 128,
  id_token_hint: ofTokens,
  login_hint: 1000,
  logout_hint: 1000,
  request: ofTokens,
  // Frameworks keep in it where they were.
  state: ofTokens,
  token: ofTokens,
  ui_locales: 500,
}
/** Of every other parameter, in characters. */
const usual = 2000
/** RFC 8707 alone lets a parameter be repeated; each resource is looked up. */
const mostValues = 10

/** The longest value that the provider reads of a parameter. */
export const longestOf = (name: string): number => longest[name] ?? usual

/** Bounds the parameters of every request, wherever the provider reads them from, before it looks at any. */
export function boundParameters(provider: Provider): void {
  const given = new WeakMap<object, unknown>()
  Object.defineProperty(provider.OIDCContext.prototype, 'params', {
    get(this: object) {
      return given.get(this)
    },
    set(this: object, params: Record<string, unknown>) {
      given.set(this, params)
      const problems = Object.entries(params).flatMap(([name, value]) => {
        const problem = problemOf(name, value)
        // What answers the error reads it no more than the provider does.
        if (problem) params[name] = undefined
        return problem ?? []
      })
      // Shown on a page of our own: the address of the service is not proven yet.
      if (problems[0]) throw Object.assign(new errors.InvalidRequest(problems[0]), { allow_redirect: false })
    },
  })
}

function problemOf(name: string, value: unknown): string | undefined {
  const [values, most] = [[value].flat(), longestOf(name)]
  if (values.length > mostValues) return `${name} is repeated too often`
  return values.some((one) => typeof one === 'string' && one.length > most)
    ? `${name} is longer than ${most} characters`
    : undefined
}
