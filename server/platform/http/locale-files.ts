import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { languages } from '#contract/roles.ts'

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }
type Encoding = keyof typeof compressors

interface LocaleFile {
  etag: string
  plain: Buffer
  /** Compressed at the first request, so that the start is not delayed. */
  compressed: Partial<Record<Encoding, Promise<Buffer>>>
}

/**
 * `GET /locales/{lng}/translation.json`: the texts, cached in memory.
 *
 * Browsers revalidate each time (304), so that the app and its texts always have the same version.
 *
 * @param folder the project's `locales`
 */
export async function serveLocaleFiles(app: FastifyInstance, folder: string): Promise<void> {
  for (const language of languages) {
    const texts: unknown = JSON.parse(await readFile(join(folder, language, 'translation.json'), 'utf8'))
    const plain = Buffer.from(JSON.stringify(texts))
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    const file: LocaleFile = { etag, plain, compressed: {} }
    app.get(`/locales/${language}/translation.json`, async (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding')
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      reply.type('application/json; charset=utf-8')
      const encoding = acceptedEncoding(request.headers['accept-encoding'])
      if (!encoding) return reply.send(file.plain)
      file.compressed[encoding] ??= compressors[encoding](file.plain)
      return reply.header('content-encoding', encoding).send(await file.compressed[encoding])
    })
  }
}

function acceptedEncoding(header = ''): Encoding | undefined {
  const accepted = header.split(',').map((entry) => entry.trim().toLowerCase())
  const refused = (entry: string) => /;\s*q=0(\.0*)?$/.test(entry)
  return (['br', 'gzip'] as const).find((name) =>
    accepted.some((entry) => entry.split(';')[0] === name && !refused(entry)),
  )
}
