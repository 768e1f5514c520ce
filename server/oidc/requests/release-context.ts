import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { forgetRecord, recordOf } from './request-record.ts'

type Callback = ReturnType<Provider['callback']>

/**
 * The provider's callback, which lets go of everything that a request held when the request is over. The provider gives the
 * context of each request a getter of its own, `oidc`. V8 allocates getters in the old generation, so what one can reach
 * would stay in memory until the next full garbage collection (decision 0058).
 */
export function createReleasingCallback(provider: Provider): Callback {
  provider.use((ctx, next) => {
    recordOf(ctx.req).context = ctx as KoaContextWithOIDC
    return next()
  })
  let callback: Callback | undefined
  return async (request, response) => {
    // Koa composes the middleware here, so all of it must be in place.
    callback ??= provider.callback()
    await callback(request, response)
    const { context } = recordOf(request as IncomingMessage)
    if (context) release(context)
    forgetRecord(request as IncomingMessage)
  }
}

const ignore = () => {}

function release(ctx: KoaContextWithOIDC): void {
  if (ctx.oidc) clear(ctx.oidc)
  clear(ctx)
  // Koa calls it if the connection breaks before the last byte has left. Nothing is left to do then.
  ctx.onerror = ignore
}

function clear(object: object): void {
  for (const key of Reflect.ownKeys(object)) if (key !== 'oidc') Reflect.set(object, key, undefined)
}
