import type { FastifyInstance } from 'fastify'

// The characters of cookies that we set.
const cookieSyntax = /^[\w.-]+$/

/**
 * Normalises the `Cookie` header, so that our cookie library and the provider's read it in the same way: the first of
 * several cookies with one name wins, and cookies with characters that we never use (quotes, percent signs) are dropped.
 */
export function normalizeCookies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (headers.cookie !== undefined) headers.cookie = normalize(headers.cookie)
    done()
  })
}

function normalize(header: string): string {
  const values = new Map<string, string>()
  for (const part of header.split(';')) {
    const [name = '', ...value] = part.split('=').map((text) => text.trim())
    if (!values.has(name)) values.set(name, value.join('='))
  }
  return [...values]
    .filter(([name, value]) => cookieSyntax.test(name) && cookieSyntax.test(value))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}
