import { isIP } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { toNetwork } from '../../limits/address.ts'

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * The logger of one request, with the request id in every line. Created at the first line, because most requests log
 * nothing but the line of `logRequests`.
 */
export function createRequestLog(log: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger {
  let child: FastifyBaseLogger | undefined
  const getChild = () => {
    child ??= log.child(bindings)
    return child
  }
  const to = (level: Level) => (object: unknown, message?: string) => getChild()[level](object, message)
  return {
    level: log.level,
    child: (more, options) => getChild().child(more, options),
    fatal: to('fatal'),
    error: to('error'),
    warn: to('warn'),
    info: to('info'),
    debug: to('debug'),
    trace: to('trace'),
    silent: to('silent'),
  }
}

/** The address in the log where LOG_ADDRESSES asks for all of it, else its network; null where it is none. */
export const loggedAddress = (ip: string, logAddresses: Config['logAddresses']): string | null =>
  logAddresses !== 'full' ? toNetwork(ip) : isIP(ip) ? ip : null

/** One line for each request: its method, route template, status, milliseconds and what LOG_ADDRESSES says of the client's address. */
export function logRequests(
  app: FastifyInstance,
  log: FastifyBaseLogger,
  { logAddresses }: Pick<Config, 'logAddresses'>,
): void {
  // This line contains no user input, so redaction, which costs more than the line itself, is off.
  const plain = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    // Probes come every second, and say nothing that a metric does not.
    const level = request.url.startsWith('/health/') ? 'debug' : 'info'
    plain[level](
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ...(logAddresses !== 'none' && { address: loggedAddress(request.ip, logAddresses) }),
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
