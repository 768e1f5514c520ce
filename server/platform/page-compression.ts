import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Below this a page fits into the first packets anyway; characters. */
const least = 1400

/**
 * Compresses pages on their way out: the built files are compressed beforehand, but a page has its values put in. No
 * page holds a secret beside what its own address says, so its length tells nothing (decision 0009).
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage || payload.length < least) return done(null, payload)
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    if (!takesGzip(request.headers['accept-encoding'])) return done(null, payload)
    reply.header('content-encoding', 'gzip')
    // For a page made a moment ago brotli takes longer and saves nothing more.
    done(null, gzipSync(payload, { level: 5 }))
  })
}

// RFC 9110, 12.5.3: `br, gzip;q=0`; a weight of nothing is a refusal.
const takesGzip = (header: string | string[] | undefined): boolean =>
  [header ?? []]
    .flat()
    .flatMap((line) => line.toLowerCase().split(','))
    .map((part) => part.split(';').map((word) => word.trim()))
    .some(([name, weight = '']) => name === 'gzip' && !/^q=0(\.0*)?$/.test(weight))
