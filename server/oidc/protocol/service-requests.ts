import type { FastifyInstance } from 'fastify'
import { Problem } from '#server/platform/problem.ts'

/** A longer address would not fit into the headers of a request. */
const maxLength = 8000

/**
 * A service's page may post a sign-in or a sign-out request (OIDC Core 3.1.2.1, RP-Initiated Logout 2). Browsers send no
 * `SameSite=Lax` cookie with a form of another site, so the request continues as a GET, which carries them and is allowed
 * to other sites anyway.
 */
export function redirectServiceRequests(app: FastifyInstance): void {
  // The provider's own confirmation: ours is the page that signs out.
  app.post('/oidc/session/end/confirm', async (_, reply) => reply.redirect('/logout', 303))
  for (const path of ['/oidc/auth', '/oidc/session/end'])
    app.post(path, { bodyLimit: maxLength }, async (request, reply) => {
      const parameters = parametersOf(request.body)
      // Without a client the address means something else there: it lengthens the session.
      if (path === '/oidc/auth' && !parameters.has('client_id')) parameters.set('client_id', '')
      const target = `${path}?${parameters}`
      if (target.length > maxLength) throw new Problem(413, 'tooLarge')
      return reply.redirect(target, 303)
    })
}

/** Repeated parameters are kept, so that the provider refuses them. */
function parametersOf(form: unknown): URLSearchParams {
  if (typeof form !== 'object' || form === null) throw new Problem(415, 'unsupportedType')
  return new URLSearchParams(
    Object.entries(form as Record<string, string | string[]>).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  )
}
