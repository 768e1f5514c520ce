import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#server/config.ts'

/** What `form-action` says unless a page may end elsewhere. */
const ownForms = "form-action 'self'"

/** @param styles sources besides our own files: the hashes of what pages bring along */
const policy = (styles: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    ownForms,
  ].join('; ')

/**
 * The headers that every answer carries (security.md, By construction 17). Nothing is kept by anybody, unless whoever
 * answers says otherwise: the built files and the texts do.
 */
export function setSecurityHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
}

/** @param styles the styles that our pages bring along, as CSP sources: `'sha256-…'` */
export function securityHeaders(config: Config, styles: readonly string[]): Record<string, string> {
  return {
    ...headers,
    'content-security-policy': policy(styles),
    ...(config.production ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/**
 * Lets a form of this page end on another origin too. Chromium applies `form-action` to the whole chain of redirects
 * after a form, so a sign-in page names the origin that its sign-in ends on.
 */
export function allowFormTarget(reply: FastifyReply, origin: string): void {
  const present = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', withFormTarget(present, origin))
}

/** The policy with another origin that forms may end on. */
export const withFormTarget = (present: string, origin: string): string =>
  present.replace(ownForms, `${ownForms} ${origin}`)

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
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}
