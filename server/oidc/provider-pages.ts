import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { RenderProblemPage } from '#server/platform/http-server.ts'
import type { System } from '#server/platform/system.ts'
import { exchangeOf } from './exchange.ts'
import { restartAddress } from './interactions.ts'

/** The pages that the provider shows to a person, drawn by the room that knows how. */
export interface ProviderPages {
  renderProblem: RenderProblemPage
  /** The page that signs out by posting its form; what is between `<form>` and its fields is the provider's. */
  renderSignOut: (request: Parameters<RenderProblemPage>[0], form: { action: string; fields: string }) => string
}

/** Sign-in never ends on an error page: what is over begins again, and only what cannot is told. */
export function createRenderError({ db }: System, pages: ProviderPages): NonNullable<Configuration['renderError']> {
  return async (ctx, out, error) => {
    const { route } = ctx.oidc
    if (error.name === 'SessionNotFound' && route === 'resume')
      return redirect(ctx, await restartAddress(db, String(ctx.params.uid), undefined))
    // The sign-out page is old: another one was opened since, or the session is over. Ours needs no memory.
    if (route === 'end_session_confirm' && ctx.status < 500) return redirect(ctx, '/logout')
    const request = exchangeOf(ctx.req)
    if (!request || ctx.accepts('json', 'html') !== 'html') {
      ctx.body = out
      return
    }
    ctx.type = 'html'
    ctx.body = pages.renderProblem(
      request,
      ctx.status,
      ctx.status === 503 ? 'temporarilyUnavailable' : ctx.status >= 500 ? 'genericErrorMessage' : 'malformedRequest',
    )
  }
}

/** Sign-out that a service began: the person's own page asks, and the form goes to the provider. */
export function createLogoutPages(pages: ProviderPages) {
  return {
    async logoutSource(ctx: KoaContextWithOIDC, form: string) {
      const request = exchangeOf(ctx.req)
      const secret = /name="xsrf" value="(\w+)"/.exec(form)?.[1] ?? ''
      ctx.type = 'html'
      ctx.body = request
        ? pages.renderSignOut(request, {
            action: new URL(ctx.oidc.urlFor('end_session_confirm')).pathname,
            fields: `<input type="hidden" name="xsrf" value="${secret}"><input type="hidden" name="logout" value="yes">`,
          })
        : form
    },
    async postLogoutSuccessSource(ctx: KoaContextWithOIDC) {
      redirect(ctx, '/')
    },
  }
}

function redirect(ctx: KoaContextWithOIDC, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
  ctx.status = 303
}
