import type { Provider } from 'oidc-provider'
import { addFormTarget, formTargetOf } from '#server/platform/http/security-headers.ts'

/**
 * The provider's own pages contain forms that end on a service's origin (`response_mode=form_post`, sign-out started by a
 * service). Browsers apply `form-action` to the whole redirect chain, so those pages must allow that origin.
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
    const origin = typeof target === 'string' ? formTargetOf(target) : undefined
    if (origin) ctx.set('content-security-policy', addFormTarget(policy, origin))
  })
}
