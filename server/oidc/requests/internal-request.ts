import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Http } from '#server/platform/system.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { linkRequest, recordOf } from './request-record.ts'

/** The provider's response to an internal request. Nothing of it has been sent to the browser. */
export interface InternalResponse {
  /** The redirect target; undefined where the provider would show a page. */
  location: string | undefined
  /** `set-cookie` headers to forward. */
  cookies: string[]
}

/** Captures responses to internal requests instead of sending them: see `sendInternalRequest`. */
export function captureInternalResponses(provider: Provider): void {
  provider.use(async (ctx, next) => {
    const captured = recordOf(ctx.req).internal
    if (!captured) return next()
    ctx.respond = false
    try {
      await next()
    } catch (error) {
      captured.failed = error
    }
  })
}

/**
 * Sends a GET request to the provider internally, on behalf of the browser whose request is being handled, which saves a
 * redirect. The provider sees the browser's headers and cookies.
 *
 * @param path below the issuer, with the query
 * @throws Problem 503, and any other error of the provider
 */
export async function sendInternalRequest(
  callback: ReturnType<Provider['callback']>,
  { request, reply }: Http,
  path: string,
): Promise<InternalResponse> {
  const { raw } = request
  const internalRequest: IncomingMessage & { originalUrl?: string } = Object.create(raw, {
    method: { value: 'GET' },
    url: { value: path, writable: true },
    originalUrl: { value: `/oidc${path}` },
  })
  const captured: { failed?: unknown } = {}
  recordOf(internalRequest).internal = captured
  linkRequest(request, internalRequest)
  await callback(internalRequest, reply.raw)
  const readHeader = (name: string) => [reply.raw.getHeader(name) ?? []].flat().map(String)
  const answer = { location: readHeader('location')[0], cookies: readHeader('set-cookie') }
  for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name)
  reply.raw.statusCode = 200
  // Empty, so that Node sets the default message for the final status.
  reply.raw.statusMessage = ''
  if (captured.failed) throw captured.failed instanceof ProviderProblem ? captured.failed.problem : captured.failed
  return answer
}

/** Forwards the cookies of the provider's redirect, and returns its target. */
export function forwardRedirect({ reply }: Http, { cookies, location = '/' }: InternalResponse): string {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return location
}
