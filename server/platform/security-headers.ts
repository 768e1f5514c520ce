import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#server/config.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * The content security policy of a page. Chromium applies `form-action` to the whole chain of redirects after a form,
 * so a sign-in page names the origin that its sign-in ends on.
 *
 * @param formTarget an origin besides our own that a form of this page may end on
 */
export const contentSecurityPolicy = (formTarget?: string): string =>
  `${policy}; form-action 'self'${formTarget ? ` ${formTarget}` : ''}`

const ownPolicy = contentSecurityPolicy()

/**
 * The headers that every answer carries (security.md, By construction 17). Nothing is kept by anybody, unless whoever
 * answers says otherwise: the built files and the texts do.
 */
export function setSecurityHeaders(app: FastifyInstance, config: Config): void {
  const always = headersFor(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(always).header('x-request-id', request.id)
    done()
  })
}

/** The same headers for an answer that is written past the framework, as the OpenID Provider does. */
export function headersFor(config: Config): Record<string, string> {
  return config.production ? productionHeaders : headers
}

/** Replaces the page's policy, for a sign-in page that ends on a service's origin. */
export function allowFormTarget(reply: FastifyReply, origin: string): void {
  reply.header('content-security-policy', contentSecurityPolicy(origin))
}

/**
 * Lets our own pages show this answer, a mail, in a frame: a policy that runs nothing and fetches nothing, but takes
 * the inline styles that mails are made of (design.md, section 2).
 */
export function showAsMail(reply: FastifyReply): void {
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  )
  reply.removeHeader('x-frame-options')
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': ownPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}
const productionHeaders = { ...headers, 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
