import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { Problem } from '../problem.ts'

/** Finds the address that a host name of an organisation leads to. */
export type FindSignInHost = (hostName: string) => Promise<string | undefined>

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])
// Load balancers and scrapers use IP addresses as host, and these paths expose no user data.
const anyHost = /^\/(health\/|metrics$)/
// Called by servers, not by browsers, and authenticated by client credentials or a token that no browser sends by itself.
const machineCalls =
  /^\/(oidc\/(token|request|me|jwks|token\/(introspection|revocation))$|access\/v1\/evaluations?$|scim\/v2\/)/
const samlMessage = /^\/saml\/[0-9]+\/(acs|slo)$/
// A page of a service or of an identity provider may post these (OIDC Core 3.1.2.1 and 4). Nothing happens in the post: it continues as a GET.
const beginnings = /^\/(oidc\/(auth|session\/end)|login\/company\/[0-9]+)$/

/**
 * Rejects requests for another host, and unsafe requests from another origin (security 6, security 27).
 *
 * Every unsafe request must be same-origin according to `Sec-Fetch-Site`, or else `Origin`. The exceptions for browsers are
 * the SAML messages, which the identity provider's page posts, and the requests that begin something and continue as a GET.
 *
 * A host name that leads to the sign-in of an organisation does this alone, whatever is asked of it.
 */
export function rejectCrossOriginRequests(app: FastifyInstance, config: Config, findSignInHost: FindSignInHost): void {
  const { host, origin } = new URL(config.baseUrl)
  function refusalOf(request: FastifyRequest): Problem | undefined {
    const path = pathOf(request)
    // With two Host headers, a proxy and we might read different ones; HTTP/1.1 requires exactly one (RFC 9112, 3.2).
    const hosts = request.raw.rawHeaders.filter(
      (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
    ).length
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) return new Problem(400, 'malformedRequest')
    // An absolute URL, as sent to a proxy, names a host that bypasses the header check.
    if (!path.startsWith('/')) return new Problem(400, 'malformedRequest')
    if (request.headers.host?.toLowerCase() !== host && !anyHost.test(path)) return new Problem(421, 'unknownHost')
    if (safe.has(request.method) || [machineCalls, samlMessage, beginnings].some((known) => known.test(path)))
      return undefined
    const site = request.headers['sec-fetch-site']
    const sameOrigin = site === undefined ? request.headers.origin === origin : site === 'same-origin'
    return sameOrigin ? undefined : new Problem(403, 'crossOrigin')
  }
  async function answerForeignHost(request: FastifyRequest, reply: FastifyReply, refusal: Problem) {
    const address = isNavigation(request) ? await findSignInHost(hostNameOf(request)) : undefined
    if (!address) throw refusal
    // The host is the organisation's own: how long browsers insist on https there is not ours to say.
    return reply.removeHeader('strict-transport-security').redirect(address, 303)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOf(request)
    if (refusal?.key !== 'unknownHost') return done(refusal)
    answerForeignHost(request, reply, refusal).catch(done)
  })
}

const hostNameOf = ({ headers }: FastifyRequest) => (headers.host ?? '').toLowerCase().replace(/\.?(:[0-9]+)?$/, '')

/** Somebody who opens a page, by name: no IP address, and none of the images and scripts of a page. */
const isNavigation = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  ['document', undefined].includes(request.headers['sec-fetch-dest'] as string | undefined) &&
  /\.[a-z][a-z0-9-]*$/.test(hostNameOf(request))

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''
