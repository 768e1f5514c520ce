import type { Provider } from 'oidc-provider'
import { withFormTarget } from '#server/platform/security-headers.ts'

/**
 * The provider's own pages are forms that end on a service's origin (`response_mode=form_post`, sign-out by way of a
 * service). The policy applies `form-action` to the whole chain of redirects, so those pages name that origin.
 */
export function allowRedirectTarget(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    const policy = ctx.response.get('content-security-policy')
    if (ctx.status !== 200 || ctx.type !== 'text/html' || !policy || !ctx.oidc) return
    const { client, params, session } = ctx.oidc
    const target =
      session?.state?.postLogoutRedirectUri ??
      (typeof params?.redirect_uri === 'string' && client?.redirectUriAllowed(params.redirect_uri)
        ? params.redirect_uri
        : undefined)
    const origin = typeof target === 'string' ? URL.parse(target)?.origin : undefined
    if (origin && origin !== 'null') ctx.set('content-security-policy', withFormTarget(policy, origin))
  })
}
