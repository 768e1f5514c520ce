import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { MessageKey } from '#contract/message-key.ts'
import type { Route } from '#contract/route.ts'
import type { Config } from '#server/config.ts'
import { compressPages } from './page-compression.ts'
import { Problem } from './problem.ts'
import { readRequestBodies } from './request-bodies.ts'
import { createRequestLog, logRequests } from './request-log.ts'
import { refuseForeignRequests } from './request-origin.ts'
import { securityHeaders, setSecurityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration that a request goes through; a route without one is the platform's own. */
    route?: Route
  }
  interface FastifyInstance {
    /** Every route of the server, with its declaration where it has one: the API description and the tests walk it. */
    routeList: { method: string; url: string; route: Route | undefined }[]
  }
}

/**
 * A page for a person whose browser, not our script, asked: the sign-in room draws it.
 *
 * @param again path on this origin where to try once more; what could not be done may be possible in a moment
 */
export type RenderProblemPage = (request: FastifyRequest, status: number, key: MessageKey, again?: string) => string

interface HttpServerOptions {
  config: Config
  logger: FastifyBaseLogger
  renderProblemPage: RenderProblemPage
  /** The styles that pages bring along, as sources of the content security policy. */
  styles?: readonly string[]
  /** Milliseconds within which a request must have come in whole; 15 s unless told. */
  requestTimeout?: number
}

/**
 * The HTTP server before any route: body parsers, limits, headers, and the shape of every failure.
 * It opens no port.
 */
export async function createHttpServer({
  config,
  logger,
  renderProblemPage,
  styles = [],
  requestTimeout = 15_000,
}: HttpServerOptions): Promise<FastifyInstance> {
  function answerProblem(error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) {
    const problem = asProblem(error)
    const { status, key, issues, retryAfter } = problem
    if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
    if (retryAfter) reply.header('retry-after', Math.ceil(retryAfter))
    const page = prefersPage(request)
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .type(page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
      .send(
        page
          ? renderProblemPage(request, status, key, againAfter(problem, request))
          : { message: key, ...(issues ? { issues } : {}), requestId: request.id },
      )
  }

  const headers = securityHeaders(config, styles)
  const app = fastify({
    loggerInstance: logger,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    genReqId: () => randomUUID(),
    requestTimeout,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 200, querystringParser: parseQuery },
    http: {
      headersTimeout: Math.min(10_000, requestTimeout),
      connectionsCheckingInterval: Math.min(2000, requestTimeout),
      maxHeaderSize: 16 * 1024,
    },
    // An address that cannot be decoded fails before there is a route, and before any hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      answerProblem(error as FastifyError, request as FastifyRequest, reply as FastifyReply)
    },
    // What Node itself refuses before a request exists (a header too large) gets the house's shape too.
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      const [status, key] =
        error.code === 'HPE_HEADER_OVERFLOW'
          ? ['431 Request Header Fields Too Large', 'tooLarge']
          : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? ['408 Request Timeout', 'malformedRequest']
            : ['400 Bad Request', 'malformedRequest']
      const body = JSON.stringify({ message: key, requestId: randomUUID() })
      socket.end(
        `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
  })
  app.decorate('routeList', [])
  app.addHook('onRoute', ({ method, url, config: { route } = {} }) => {
    for (const one of [method].flat()) app.routeList.push({ method: one, url, route })
  })
  await app.register(cookie)
  readRequestBodies(app, parseQuery)
  compressPages(app)
  setSecurityHeaders(app, headers)
  refuseForeignRequests(app, config)

  // What a use case prepared before it broke is not to be kept. The cookies are written by a hook, so this is one too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 500) reply.removeHeader('set-cookie')
    done(null, payload)
  })
  logRequests(app, logger)

  app.setErrorHandler<FastifyError>((error, request, reply) => answerProblem(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerProblem(new Problem(404, 'notFound'), request, reply))
  return app
}

// One value per name; a name that comes twice is an array and fails its schema. `__proto__` is a name like any other.
function parseQuery(text: string): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const present = values[name]
    values[name] = present === undefined ? value : [present, value].flat()
  }
  return values
}

// A page that could not be shown is asked for again; an address with two slashes would be another host's.
const againAfter = ({ status, again }: Problem, { method, url }: FastifyRequest): string | undefined =>
  again ?? (status === 503 && method === 'GET' && /^\/(?![/\\])/.test(url) ? url : undefined)

const prefersPage = (request: FastifyRequest) =>
  !request.url.startsWith('/api') &&
  request.headers['sec-fetch-dest'] !== 'empty' &&
  (request.headers.accept ?? '').includes('text/html')

function asProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  const { statusCode = 500 } = error
  switch (statusCode) {
    case 413:
      return new Problem(413, 'tooLarge')
    case 415:
      return new Problem(415, 'unsupportedType')
    // A file outside the folder, a name that is longer than any of ours: there is no such thing.
    case 403:
    case 404:
    case 414:
      return new Problem(404, 'notFound')
    default:
      return statusCode >= 400 && statusCode < 500
        ? new Problem(statusCode, 'malformedRequest')
        : new Problem(500, 'genericErrorMessage')
  }
}
