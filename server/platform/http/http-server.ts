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
import type { Route } from '#contract/route.ts'
import type { Config } from '#server/config.ts'
import { Problem } from '../problem.ts'
import { readForwardedAddresses } from './headers/forwarded-address.ts'
import { limitResponseHeaders } from './headers/response-headers.ts'
import { removeInvalidHeaders } from './invalid-headers.ts'
import { createRequestLog, logRequests } from './observability/request-log.ts'
import { compressPages } from './page-compression.ts'
import { asProblem } from './refusals/as-problem.ts'
import { limitHeaders, maxHeaderSizeRead } from './refusals/header-size.ts'
import { createClientErrorHandler, createExpectationHandler } from './refusals/malformed-requests.ts'
import { createMethodsAt } from './refusals/methods-at.ts'
import type { RenderProblemPage } from './refusals/render-problem-page.ts'
import { isScim, isUnsupportedScim, scimError } from './refusals/scim-error.ts'
import { removeTrailingSlashes } from './refusals/trailing-slash.ts'
import { registerBodyParsers } from './request-bodies.ts'
import { normalizeCookies } from './request-cookies.ts'
import { type FindSignInHost, rejectCrossOriginRequests } from './request-origin.ts'
import { createSecurityHeaders, setReferrerPolicy, setSecurityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declared route; undefined for the platform's own routes. */
    route?: Route
  }
  interface FastifyInstance {
    /** All registered routes, for the API description and the tests. */
    routeList: { method: string; url: string; route: Route | undefined }[]
  }
}

/** Milliseconds for the headers, for the whole request, and between checks. */
export const requestTimeouts = { headers: 10_000, whole: 13_000, lookEvery: 2000 } as const

interface HttpServerOptions {
  config: Config
  logger: FastifyBaseLogger
  renderProblemPage: RenderProblemPage
  /** Default: no host name leads to a sign-in. */
  findSignInHost?: FindSignInHost
  /** The hashes of inline styles, as sources for the content security policy. */
  styles?: readonly string[]
  /** Milliseconds within which a whole request must arrive; see `requestTimeouts`. */
  requestTimeout?: number
}

/**
 * The HTTP server without routes: body parsers, limits, headers and the error format. It does not listen yet.
 */
export async function createHttpServer({
  config,
  logger,
  renderProblemPage,
  styles = [],
  findSignInHost = async () => undefined,
  requestTimeout = requestTimeouts.whole,
}: HttpServerOptions): Promise<FastifyInstance> {
  function answerProblem(error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) {
    const problem = asProblem(error)
    const { status, key, issues, retryAfter } = problem
    if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
    if (retryAfter) reply.header('retry-after', Math.ceil(retryAfter))
    if (isScim(request)) return scimError(reply, problem)
    const page = prefersPage(request)
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .type(page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
      .send(
        page
          ? renderProblemPage(request, status, key, status === 421 ? config.baseUrl : retryPathOf(problem, request))
          : { message: key, ...(issues ? { issues } : {}), requestId: request.id },
      )
  }

  const headers = createSecurityHeaders(config, styles)
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
    // A request that arrives on an open connection while the server closes is served.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, querystringParser: parseQuery },
    http: {
      headersTimeout: Math.min(requestTimeouts.headers, requestTimeout),
      connectionsCheckingInterval: Math.min(requestTimeouts.lookEvery, requestTimeout),
      maxHeaderSize: maxHeaderSizeRead,
      // We reject it ourselves, in our error format.
      requireHostHeader: false,
    },
    // A URL that cannot be decoded, or has too long a segment, fails before routing and before any hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      request.cookies = app.parseCookie(request.headers.cookie ?? '')
      answerProblem(error as FastifyError, request as FastifyRequest, reply as FastifyReply)
    },
    clientErrorHandler: createClientErrorHandler(headers, renderProblemPage),
  })
  app.server.on('checkExpectation', createExpectationHandler(headers))
  app.decorate('routeList', [])
  app.addHook('onRoute', ({ method, url, config: { route } = {} }) => {
    for (const one of [method].flat()) app.routeList.push({ method: one, url, route })
  })
  normalizeCookies(app)
  readForwardedAddresses(app, config)
  await app.register(cookie)
  registerBodyParsers(app, parseQuery)
  limitResponseHeaders(app)
  setReferrerPolicy(app)
  compressPages(app)
  setSecurityHeaders(app, headers)
  limitHeaders(app)
  rejectCrossOriginRequests(app, config, findSignInHost)
  removeTrailingSlashes(app, prefersPage)

  // Node would detect invalid headers only when it is too late to send an error response.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const error = removeInvalidHeaders(reply)
    if (error) done(error)
    else done(null, payload)
  })
  // A failed request must not set cookies. The cookie plugin writes them in a hook, so this is a hook too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 500) reply.removeHeader('set-cookie')
    done(null, payload)
  })
  endBusyConnections(app)
  logRequests(app, logger, config)

  app.setErrorHandler<FastifyError>((error, request, reply) => answerProblem(error, request, reply))
  const methodsAt = createMethodsAt(app)
  app.setNotFoundHandler((request, reply) => {
    // Nothing has failed: it stands in no log.
    if (isUnsupportedScim(request)) return scimError(reply, new Problem(501, 'scimNotSupported'))
    const methods = methodsAt(request.url)
    const isWrong = methods.length > 0 && !methods.includes(request.method)
    if (isWrong) reply.header('allow', methods.join(', '))
    return answerProblem(isWrong ? new Problem(405, 'methodNotAllowed') : new Problem(404, 'notFound'), request, reply)
  })
  return app
}

// A connection with a request in progress when the server closes would be kept alive, and hold up the end.
function endBusyConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}

// A repeated name becomes an array, which fails its schema. The null prototype makes `__proto__` an ordinary name.
function parseQuery(text: string): Record<string, unknown> {
  const values: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const present = values[name]
    // Appended in place: copying the array for each repetition would take quadratic time.
    if (Array.isArray(present)) present.push(value)
    else values[name] = present === undefined ? value : [present, value]
  }
  return values
}

// A failed page can be reloaded; a path that begins with two slashes would lead to another host.
const retryPathOf = ({ status, again }: Problem, { method, url }: FastifyRequest): string | undefined =>
  again ?? (status === 503 && method === 'GET' && /^\/(?![/\\])/.test(url) ? url : undefined)

const prefersPage = (request: Pick<FastifyRequest, 'url' | 'headers'>) =>
  !/^\/(api|access)\b/.test(request.url) &&
  !isScim(request) &&
  request.headers['sec-fetch-dest'] !== 'empty' &&
  (request.headers.accept ?? '').includes('text/html')
