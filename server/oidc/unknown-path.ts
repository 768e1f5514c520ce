import type { Provider } from 'oidc-provider'
import type { ProviderPages } from './provider-pages.ts'
import { findRequest } from './requests/request-record.ts'

/** Unknown paths below `/oidc` get 404 in our error format. */
export function answerUnknownPath(provider: Provider, pages: ProviderPages): void {
  provider.use(async (ctx, next) => {
    await next()
    const request = findRequest(ctx.req)
    if (ctx.status !== 404 || ctx.body || !request) return
    const page = ctx.accepts('json', 'html') === 'html'
    ctx.body = page ? pages.renderProblem(request, 404, 'notFound') : { message: 'notFound', requestId: request.id }
    ctx.type = page ? 'html' : 'json'
    // Setting a body would change the status to 200.
    ctx.status = 404
  })
}
