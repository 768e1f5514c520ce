import type { FastifyInstance } from 'fastify'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Config } from '#server/config.ts'
import { isHintOfSession } from '../logout-redirect.ts'
import { findRequest } from '../requests/request-record.ts'

/**
 * A service signs out the person of this very session: there is no question, so the browser goes straight on, with or without
 * script. Once the provider has validated the request, it is posted to `/logout`, which ends sessions.
 */
export function endConfirmedSession(provider: Provider, app: FastifyInstance, { baseUrl }: Config): void {
  provider.use(async (ctx, next) => {
    await next()
    const request = findRequest(ctx.req)
    if (!request || ctx.oidc?.route !== 'end_session' || ctx.status !== 303) return
    if (!isHintOfSession(ctx as KoaContextWithOIDC)) return
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = request.headers
    const { statusCode, headers: answer } = await app.inject({
      method: 'POST',
      url: '/logout',
      remoteAddress: request.socket.remoteAddress ?? '',
      headers: {
        ...headers,
        host: new URL(baseUrl).host,
        origin: baseUrl,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        cookie: withCookies(headers.cookie, [ctx.response.get('set-cookie')].flat()),
      },
    })
    // Without an answer that goes on, such as one of too many requests, the page at /logout takes over.
    if (statusCode !== 303 || !answer.location) return
    ctx.set('set-cookie', [answer['set-cookie'] ?? []].flat())
    ctx.redirect(answer.location)
  })
}

/** The cookies of the request, with those that the provider has just set. */
function withCookies(sent: string | undefined, set: readonly string[]): string {
  const jar = new Map<string, string>()
  for (const pair of [...(sent ?? '').split('; '), ...set.map((one) => one.split(';', 1)[0] ?? '')]) {
    const [name = '', ...value] = pair.split('=')
    if (name) jar.set(name, value.join('='))
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
