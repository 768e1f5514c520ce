import type { Provider } from 'oidc-provider'
import { addressOf } from '../logout-redirect.ts'

/**
 * A service signs out somebody whose session has ended already. The provider would show a page of its own that posts itself;
 * there is nothing to confirm and nothing to end, so the browser goes on at once.
 */
export function skipEndedSignOut(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.oidc?.route !== 'end_session' || ctx.status !== 200 || ctx.oidc.session?.accountId) return
    const { postLogoutRedirectUri, state } = (ctx.oidc.session?.state ?? {}) as Record<string, unknown>
    ctx.status = 303
    ctx.redirect(addressOf(postLogoutRedirectUri, state))
  })
}
