import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { Problem } from './problem.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])
// Load balancers and scrapers ask by address, and get nothing that belongs to anybody.
const anyHost = /^\/(health\/|metrics$)/
// Called by the servers of services, not by browsers, and authenticated by their own credentials.
const machineCalls = /^\/oidc\/(token|request|me|jwks|token\/(introspection|revocation))$/
const samlAnswer = /^\/saml\/[0-9]+\/acs$/

/**
 * Refuses requests for another host, and unsafe requests from another origin (security.md, By construction 6 and 7).
 *
 * Every unsafe request must be same-origin by `Sec-Fetch-Site`, or else by `Origin`. The SAML answer is posted by the
 * identity provider's page and is the one exception for browsers.
 */
export function refuseForeignRequests(app: FastifyInstance, config: Config): void {
  const { host, origin } = new URL(config.baseUrl)
  function refusalOf(request: FastifyRequest): Problem | undefined {
    const path = pathOf(request)
    // A whole address as a proxy would send it: it names a host of its own, past the header.
    if (!path.startsWith('/')) return new Problem(400, 'malformedRequest')
    if (request.headers.host?.toLowerCase() !== host && !anyHost.test(path)) return new Problem(421, 'unknownHost')
    if (safe.has(request.method) || machineCalls.test(path) || samlAnswer.test(path)) return undefined
    const site = request.headers['sec-fetch-site']
    const sameOrigin = site === undefined ? request.headers.origin === origin : site === 'same-origin'
    return sameOrigin ? undefined : new Problem(403, 'crossOrigin')
  }
  app.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''
