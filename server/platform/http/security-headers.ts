import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** The default `form-action`. */
const ownForms = "form-action 'self'"
/** The default `frame-src`. */
const ownFrames = "frame-src 'self'"

/** @param styles additional style sources: the hashes of inline styles */
const policy = (styles: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ownFrames,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    ownForms,
  ].join('; ')

/**
 * Sets the security headers of every response (security 7). Responses are not cached unless the route says otherwise, as
 * static files and texts do.
 */
export function setSecurityHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', idOfCaller(request) ?? request.id)
    done()
  })
}

/** The id that a service gives its question, which its answer repeats (AuthZEN 1.0, 10.1.4). In logs the request has ours. */
function idOfCaller({ url, headers }: FastifyRequest): string | undefined {
  const given = headers['x-request-id']
  return url.startsWith('/access/v1/') && typeof given === 'string' && /^[!-~]{1,200}$/.test(given) ? given : undefined
}

/** @param styles the hashes of inline styles, as CSP sources: `'sha256-…'` */
export function createSecurityHeaders(config: Config, styles: readonly string[]): Record<string, string> {
  return {
    ...headers,
    'content-security-policy': policy(styles),
    ...(config.production ? { 'strict-transport-security': strictTransport(config) } : {}),
  }
}

const strictTransport = ({ hstsIncludeSubdomains }: Config) =>
  `max-age=63072000${hstsIncludeSubdomains ? '; includeSubDomains' : ''}`

/**
 * Allows forms of this page to end on another origin too. Chromium applies `form-action` to every redirect after a form,
 * so a sign-in page must name the origin where its sign-in ends.
 */
export function allowFormTarget(reply: FastifyReply, origin: string): void {
  const present = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', addFormTarget(present, origin))
}

/** Allows this page to open pages of other origins in frames. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const present = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', present.replace(ownFrames, [ownFrames, ...new Set(origins)].join(' ')))
}

/** What `form-action` must name so that a form may end at this address: its origin, or the scheme of an app's own. */
export function formTargetOf(address: string): string | undefined {
  const uri = URL.parse(address)
  return uri?.origin === 'null' ? uri.protocol : uri?.origin
}

/** Adds an origin to `form-action`. */
export const addFormTarget = (present: string, origin: string): string =>
  present.replace(ownForms, `${ownForms} ${origin}`)

/**
 * Allows our own pages to show this response, a mail, in a frame. The policy blocks scripts and requests, but allows the
 * inline styles of mails.
 */
export function allowMailPreview(reply: FastifyReply): void {
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  )
  reply.removeHeader('x-frame-options')
}

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}
