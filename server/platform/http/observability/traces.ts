import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createAttached } from '#server/platform/attached.ts'
import type { System } from '../../system.ts'

/** Probes and scrapes would be most of what is sent. */
const untraced = /^\/(health\/|metrics$)/

/**
 * Sends a span for each request and each of its SQL statements to an OpenTelemetry collector (OTLP over HTTP). Spans have
 * route templates and statements without their values, so that nothing of people is in them. Loaded only where
 * OTEL_EXPORTER_OTLP_ENDPOINT is set.
 */
export function traceRequests(app: FastifyInstance, { config, pool, nodeId, version }: System, endpoint: string): void {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'vestibule',
      'service.version': version,
      'service.instance.id': nodeId,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  })
  const tracer = provider.getTracer('vestibule')
  const propagator = new W3CTraceContextPropagator()
  const contexts = new AsyncLocalStorage<Context>()
  const spans = createAttached<object, Span>('span')

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    if (untraced.test(route)) return done()
    // Only an own proxy may say which trace a request belongs to.
    const from = config.trustedProxies.length > 0 ? request.headers : {}
    const parent = propagator.extract(ROOT_CONTEXT, from, defaultTextMapGetter)
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'vestibule.request_id': request.id,
    }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    spans.set(request, span)
    contexts.run(trace.setSpan(parent, span), done)
  })
  // Reading a body leaves the context.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) contexts.run(trace.setSpan(ROOT_CONTEXT, span), done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
  app.addHook('onClose', () => provider.shutdown())

  traceStatements(pool, (text) => {
    const parent = contexts.getStore()
    if (!parent) return undefined
    const [operation = 'query'] = /\w+/.exec(text) ?? []
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 2000) }
    return tracer.startSpan(operation.toLowerCase(), { kind: SpanKind.CLIENT, attributes }, parent)
  })
}

/** Begins a span at each statement of the pool and ends it with the answer. */
function traceStatements(pool: pg.Pool, begin: (text: string) => Span | undefined): void {
  const traced = new WeakSet<object>()
  pool.on('acquire', (client) => {
    if (traced.has(client)) return
    traced.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const end = (span: Span, error: unknown) => {
      if (error) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    client.query = ((...given: unknown[]) => {
      const [statement] = given
      const text = typeof statement === 'string' ? statement : (statement as { text?: string } | undefined)?.text
      const span = text === undefined ? undefined : begin(text)
      if (!span) return query(...given)
      const last = given.at(-1)
      if (typeof last === 'function')
        return query(...given.slice(0, -1), (error: unknown, result: unknown) => {
          end(span, error)
          last(error, result)
        })
      const answer = query(...given) as Promise<unknown>
      answer.then(
        () => end(span, undefined),
        (error) => end(span, error),
      )
      return answer
    }) as typeof client.query
  })
}
