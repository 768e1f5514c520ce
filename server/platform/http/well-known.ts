import type { FastifyInstance } from 'fastify'
import type { System } from '../system.ts'

/** RFC 9116 recommends less than a year. */
const validForMs = 90 * 24 * 60 * 60 * 1000

/**
 * Addresses that programs know: `/.well-known/security.txt` (RFC 9116) names who takes reports of vulnerabilities, and
 * `/.well-known/change-password` leads password managers to the form.
 */
export function serveWellKnown(app: FastifyInstance, { config, clock }: Pick<System, 'config' | 'clock'>): void {
  const { baseUrl, supportEmail, securityContact } = config
  app.get('/.well-known/security.txt', async (_, reply) => {
    // Whole days, so that the file does not differ from one request to the next.
    const expires = new Date(clock().getTime() + validForMs)
    expires.setUTCHours(0, 0, 0, 0)
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(
        [
          `Contact: ${securityContact ?? `mailto:${supportEmail}`}`,
          `Expires: ${expires.toISOString()}`,
          'Preferred-Languages: sv, en, fi, fr',
          `Canonical: ${baseUrl}/.well-known/security.txt`,
          '',
        ].join('\n'),
      )
  })
  app.get('/.well-known/change-password', async (_, reply) => reply.redirect('/account?tab=password', 302))
}
