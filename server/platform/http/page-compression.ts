import { gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'

/** Minimum length in characters: a smaller page fits into the first packets anyway. */
const minLength = 1400

/**
 * Compresses pages at request time: static files are precompressed, but pages contain request values. No page contains a
 * secret, so its compressed length reveals nothing (decision 0009).
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage || payload.length < minLength) return done(null, payload)
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    // The library compares names as they are written.
    const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase()
    if (negotiate(accepted, ['gzip']) !== 'gzip') return done(null, payload)
    reply.header('content-encoding', 'gzip')
    // For dynamic pages brotli is slower and saves nothing more. In a thread: it takes longer than all else of a page.
    gzip(payload, { level: 5 }, done)
  })
}
