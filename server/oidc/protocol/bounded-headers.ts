import type { Provider } from 'oidc-provider'
import { fitHeaders, leadOnPage } from '#server/platform/http/headers/response-headers.ts'
import { pageReferrer } from '#server/platform/http/security-headers.ts'
import type { ProviderPages } from '../provider-pages.ts'
import { findRequest } from '../requests/request-record.ts'

/** The provider's answers pass none of our hooks: their headers are as short as all others, and its pages hold forms. */
export function limitProviderHeaders(provider: Provider, pages: ProviderPages): void {
  provider.use(async (ctx, next) => {
    await next()
    const request = findRequest(ctx.req)
    if (!request || ctx.respond === false) return
    const fitted = fitHeaders(ctx.status, ctx.res.getHeaders())
    if (fitted && 'error' in fitted) {
      request.log.error({ err: fitted.error }, 'request failed')
      for (const name of ['location', 'set-cookie', 'www-authenticate']) ctx.remove(name)
      ctx.status = 500
      ctx.type = 'html'
      ctx.body = pages.renderProblem(request, 500, 'genericErrorMessage')
    } else if (fitted) {
      ctx.remove(fitted.without)
      ctx.status = 200
      ctx.type = 'html'
      ctx.body = leadOnPage(request, fitted.address)
    }
    if (ctx.type === 'text/html' && ctx.status < 400) ctx.set('referrer-policy', pageReferrer)
  })
}
