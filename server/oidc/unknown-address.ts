import type { Provider } from 'oidc-provider'
import { exchangeOf } from './exchange.ts'
import type { ProviderPages } from './provider-pages.ts'

/** Below `/oidc` too, an address that nobody serves is answered in the house's shape. */
export function answerUnknownAddress(provider: Provider, pages: ProviderPages): void {
  provider.use(async (ctx, next) => {
    await next()
    const request = exchangeOf(ctx.req)
    if (ctx.status !== 404 || ctx.body || !request) return
    const page = ctx.accepts('json', 'html') === 'html'
    ctx.body = page ? pages.renderProblem(request, 404, 'notFound') : { message: 'notFound', requestId: request.id }
    ctx.type = page ? 'html' : 'json'
    // A body alone would make it a success.
    ctx.status = 404
  })
}
