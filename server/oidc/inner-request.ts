import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Http } from '#server/platform/system.ts'
import { rememberExchange } from './exchange.ts'
import { ProviderProblem } from './provider-problem.ts'

/** What the provider said to a request that was put to it within another one. Nothing of it has left yet. */
export interface InnerAnswer {
  /** Where it sends the browser; undefined where it would show a page. */
  location: string | undefined
  /** `set-cookie`, for whoever passes the answer on. */
  cookies: string[]
}

interface InnerRequest {
  /** Below the issuer: path and query. */
  path: string
  /** Cookies besides those that the browser sent. */
  cookies?: Readonly<Record<string, string>>
}

const inner = new WeakMap<IncomingMessage, { failed?: unknown }>()

/** Keeps what is answered to a request within another one from going out: see `askWithin`. */
export function holdInnerAnswers(provider: Provider): void {
  provider.use(async (ctx, next) => {
    const held = inner.get(ctx.req)
    if (!held) return next()
    ctx.respond = false
    try {
      await next()
    } catch (error) {
      held.failed = error
    }
  })
}

/**
 * Puts a GET request to the provider in the name of the browser whose request is being answered, and so saves the
 * browser a redirect. The provider sees that browser's own headers and cookies.
 *
 * @throws Problem 503, and whatever else the provider could not answer with a page
 */
export async function askWithin(
  callback: ReturnType<Provider['callback']>,
  { request, reply }: Http,
  { path, cookies = {} }: InnerRequest,
): Promise<InnerAnswer> {
  const { raw } = request
  const own = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  const cookie = [...own, ...[raw.headers.cookie ?? []].flat()].join('; ')
  const asked: IncomingMessage & { originalUrl?: string } = Object.create(raw, {
    method: { value: 'GET' },
    url: { value: path, writable: true },
    originalUrl: { value: `/oidc${path}` },
    headers: { value: { ...raw.headers, cookie } },
  })
  const held: { failed?: unknown } = {}
  inner.set(asked, held)
  rememberExchange(request, asked)
  await callback(asked, reply.raw)
  const said = (name: string) => [reply.raw.getHeader(name) ?? []].flat().map(String)
  const answer = { location: said('location')[0], cookies: said('set-cookie') }
  for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name)
  reply.raw.statusCode = 200
  // Node finds the words for the status of the answer itself.
  reply.raw.statusMessage = ''
  if (held.failed) throw held.failed instanceof ProviderProblem ? held.failed.problem : held.failed
  return answer
}

/** Passes a redirect of the provider on to the browser. */
export function passOn({ reply }: Http, { cookies, location = '/' }: InnerAnswer): string {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return location
}
