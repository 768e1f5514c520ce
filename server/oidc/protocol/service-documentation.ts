import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

const page = 'docs/services.md'

/** The path of the documentation for owners of services; discovery names it. */
export const serviceDocumentation = `/${page}`

/** Serves docs/services.md, with the addresses of this portal in place. Markdown as text: browsers show it. */
export function serveServiceDocumentation(app: FastifyInstance, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  const file = join(import.meta.dirname, '../../..', page)
  app.get(serviceDocumentation, async (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send((await readFile(file, 'utf8')).replaceAll('{BASE_URL}', baseUrl)),
  )
}
