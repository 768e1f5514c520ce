import { hash } from 'node:crypto'
import type { Provider } from 'oidc-provider'

/**
 * Seconds for which services may keep a document. A new signing key is published five minutes before it signs
 * (`keyActivationDelay`), so nobody who caches meets a signature by an unknown key.
 */
const maxAges: Record<string, number> = { discovery: 300, jwks: 120 }

/** Lets services and their libraries cache the discovery document and the signing keys. */
export function cacheMetadata(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    const seconds = maxAges[ctx.oidc?.route]
    if (ctx.status !== 200 || seconds === undefined || ctx.method === 'OPTIONS') return
    const { type } = ctx
    const document = JSON.stringify(ctx.body)
    ctx.body = document
    ctx.type = type
    ctx.set('cache-control', `public, max-age=${seconds}`)
    ctx.etag = hash('sha256', document, 'base64url')
    // Sets the status; Koa drops the body then.
    if (ctx.fresh) ctx.status = 304
  })
}
