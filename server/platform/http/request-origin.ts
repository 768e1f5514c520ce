import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { Problem } from '../problem.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])
// Load balancers and scrapers use IP addresses as host, and these paths expose no user data.
const anyHost = /^\/(health\/|metrics$)/
// Called by servers of services, not by browsers, and authenticated by client credentials.
const machineCalls = /^\/oidc\/(token|request|me|jwks|token\/(introspection|revocation))$/
const samlMessage = /^\/saml\/[0-9]+\/(acs|slo)$/
// A page of a service or of an identity provider may post these (OIDC Core 3.1.2.1 and 4). Nothing happens in the post: it continues as a GET.
const beginnings = /^\/(oidc\/(auth|session\/end)|login\/company\/[0-9]+)$/

/**
 * Rejects requests for another host, and unsafe requests from another origin (security 6, security 27).
 *
 * Every unsafe request must be same-origin according to `Sec-Fetch-Site`, or else `Origin`. The exceptions for browsers are
 * the SAML messages, which the identity provider's page posts, and the requests that begin something and continue as a GET.
 */
export function rejectCrossOriginRequests(app: FastifyInstance, config: Config): void {
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
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''
