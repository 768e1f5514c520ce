import { browserOf, provenReturnTo } from '#server/oidc/login-state.ts'
import type { RequestContext } from '#server/platform/request-context.ts'

/**
 * Where the provider's answer leads in the end. What it sends to `/signed-in` is looked at here, as it would be there:
 * one round trip less.
 *
 * @param browser its random value, where it has only just got it
 */
export function arrival(
  { config, keys, http }: Pick<RequestContext, 'config' | 'keys' | 'http'>,
  location: string,
  browser: string | undefined = browserOf(http.request, config),
): string {
  const end = URL.parse(location, config.baseUrl)
  if (end?.origin !== config.baseUrl || end.pathname !== '/signed-in') return location
  return provenReturnTo(keys, browser, end.searchParams.get('state') ?? undefined)
}
