import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { RenderProblemPage } from '#server/platform/http-server.ts'
import type { System } from '#server/platform/system.ts'
import { exchangeOf } from './exchange.ts'
import { restartAddress } from './interactions.ts'
import { rememberSignOutGoal } from './sign-out-goal.ts'

/** The pages that the provider shows to a person, drawn by whoever knows how. */
export interface ProviderPages {
  renderProblem: RenderProblemPage
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

/** Sign-out that a service began goes through the portal's own page: there is one session, and one way to end it. */
export function createLogoutPages({ config, clock }: System) {
  return {
    async logoutSource(ctx: KoaContextWithOIDC) {
      rememberSignOutGoal(ctx, config, clock())
      redirect(ctx, '/logout')
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
