import { portalClientId } from '#server/oidc/clients.adapter.ts'
import { createLoginState, ensureBrowserId, verifyReturnTo } from '#server/oidc/login-state.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { organizationParameter } from '#server/oidc/reach/chosen-organization.ts'
import { safeReturnTo } from '#server/oidc/return-to.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'

interface Wishes {
  returnTo?: string | undefined
  loginHint?: string | undefined
  prompt?: 'login' | undefined
  /** The organisation whose brand it shows. */
  org?: string | undefined
}

/**
 * Begins a sign-in to the portal.
 *
 * @returns the page of the interaction; where it was to lead, in a browser that is signed in
 */
export async function beginSignIn(
  { config, keys, http }: Pick<RequestContext, 'config' | 'keys' | 'http'>,
  provider: MountedProvider,
  { returnTo, loginHint, prompt, org }: Wishes,
): Promise<string> {
  const browser = ensureBrowserId(http.request, http.reply, config)
  const request = new URLSearchParams({
    client_id: portalClientId,
    response_type: 'none',
    scope: 'openid',
    redirect_uri: `${config.baseUrl}/signed-in`,
    state: createLoginState(keys, browser, safeReturnTo(returnTo)),
  })
  if (loginHint) request.set('login_hint', loginHint)
  if (prompt) request.set('prompt', prompt)
  if (org) request.set(organizationParameter, org)
  const answer = await provider.authorize(http, request)
  const target = URL.parse(answer, config.baseUrl)
  // The provider sends a signed-in browser to `/signed-in`, which only reads the state: save that round trip.
  const isSignedIn = target?.origin === config.baseUrl && target.pathname === '/signed-in'
  return isSignedIn ? verifyReturnTo(keys, browser, target.searchParams.get('state') ?? undefined) : answer
}
