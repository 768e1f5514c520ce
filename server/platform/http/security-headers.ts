import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** The default `form-action`. */
const ownForms = "form-action 'self'"
/** The default `frame-src`. */
const ownFrames = "frame-src 'self'"
/** Characters of one source, and of all sources of frames: with more, their schemes are named instead. */
const maxSource = 300
const maxFrames = 1200

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

/** Of a page: only our own origin learns its address. */
export const pageReferrer = 'same-origin'

/**
 * A browser names the origin of a form as `null` where its page sends no referrer, and where it sends no `Sec-Fetch-Site`
 * either (plain http, filters), the form would be refused. So pages send it to this origin, and to no other. An error has no
 * form, and a page whose address is a secret sends none, unless a form posts to that very address.
 */
export function setReferrerPolicy(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { url = '' } = request.routeOptions
    const isSecret = url.includes('/:token') && !app.hasRoute({ method: 'POST', url })
    const isPage = reply.statusCode < 400 && String(reply.getHeader('content-type')).startsWith('text/html')
    if (isPage && !isSecret) reply.header('referrer-policy', pageReferrer)
    done(null, payload)
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
  const named = [...new Set(origins)].join(' ')
  const sources = named.length > maxFrames ? [...new Set(origins.map((one) => new URL(one).protocol))].join(' ') : named
  reply.header('content-security-policy', present.replace(ownFrames, [ownFrames, sources].join(' ').trim()))
}

/** What `form-action` must name so that a form may end at this address: its origin, or the scheme of an app's own. */
export function formTargetOf(address: string): string | undefined {
  const uri = URL.parse(address)
  // No host name is as long as this: the whole header has a limit.
  const isOrigin = uri !== null && uri.origin !== 'null' && uri.origin.length <= maxSource
  return isOrigin ? uri.origin : uri?.protocol.slice(0, maxSource)
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
