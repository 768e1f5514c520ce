import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { System } from '#server/platform/system.ts'
import { findRestartUrl } from './interactions.ts'
import { storeLogoutRedirect } from './logout-redirect.ts'
import { describeRefusal } from './protocol/refused-requests.ts'
import { ProviderProblem } from './provider-problem.ts'
import { findRequest } from './requests/request-record.ts'

/** Renders the pages that the provider shows; passed in by the application. */
export type ProviderPages = Pick<PublicPages, 'render' | 'renderProblem'>

/** An ended sign-in restarts instead of showing an error page, wherever that is possible. */
export function createRenderError({ db }: System, pages: ProviderPages): NonNullable<Configuration['renderError']> {
  return async (ctx, out, error) => {
    const { route } = ctx.oidc
    const isOver = error instanceof ProviderProblem && error.problem.key === 'signInOver'
    if ((error.name === 'SessionNotFound' || isOver) && route === 'resume')
      return redirect(ctx, await findRestartUrl(db, String(ctx.params.uid), undefined))
    const request = findRequest(ctx.req)
    if (!request || ctx.accepts('json', 'html') !== 'html') {
      ctx.body = out
      return
    }
    ctx.type = 'html'
    if (error instanceof ProviderProblem && ctx.status < 500) {
      ctx.body = pages.renderProblem(request, ctx.status, error.problem.key)
      return
    }
    ctx.body =
      ctx.status < 500
        ? pages.render(request, 'refused', { error: 'serviceRequestRefused', details: describeRefusal(error) })
        : pages.renderProblem(
            request,
            ctx.status,
            ctx.status === 503 ? 'temporarilyUnavailable' : 'genericErrorMessage',
          )
  }
}

/** A sign-out started by a service uses the portal's own page. */
export function createLogoutPages({ config, clock }: System) {
  return {
    async logoutSource(ctx: KoaContextWithOIDC) {
      storeLogoutRedirect(ctx, config, clock())
      const { ui_locales: uiLocales } = ctx.oidc.params ?? {}
      const query = typeof uiLocales === 'string' ? `?${new URLSearchParams({ ui_locales: uiLocales })}` : ''
      redirect(ctx, `/logout${query}`)
    },
    async postLogoutSuccessSource(ctx: KoaContextWithOIDC) {
      redirect(ctx, '/')
    },
  }
}

function redirect(ctx: KoaContextWithOIDC, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
}
