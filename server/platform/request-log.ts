import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * The log of one request, whose lines carry its id. It is made at the first line: most requests have nothing to say
 * besides the one that `logRequests` writes for them.
 */
export function createRequestLog(log: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined
  const own = () => {
    made ??= log.child(bindings)
    return made
  }
  const to = (level: Level) => (object: unknown, message?: string) => own()[level](object, message)
  return {
    level: log.level,
    child: (more, options) => own().child(more, options),
    fatal: to('fatal'),
    error: to('error'),
    warn: to('warn'),
    info: to('info'),
    debug: to('debug'),
    trace: to('trace'),
    silent: to('silent'),
  }
}

/** One line for each request: its method, route template, status and milliseconds. */
export function logRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  // Nothing in this line comes from a person, so nothing has to be cut out of it: that costs more than the line.
  const plain = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    plain.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
