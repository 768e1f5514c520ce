import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.ts'

/** Bytes of a request's address and headers together. */
export const maxHeaderSize = 16 * 1024
/** What is read before the connection is cut off: so that a browser with too many cookies gets a page that says so. */
export const maxHeaderSizeRead = 4 * maxHeaderSize

/** Refuses requests with too large headers by 431, in the format of every failure. */
export function limitHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { rawHeaders, url = '' } = request.raw
    // Each line has a colon, a blank and its end.
    const size = rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length)
    if (size <= maxHeaderSize) return done()
    reply.header('connection', 'close')
    done(new Problem(431, 'headersTooLarge'))
  })
}
