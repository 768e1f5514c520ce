import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Gauge, Histogram, Registry } from 'prom-client'
import { unsealedSeconds } from '../../audit/sealer.ts'
import { Problem } from '../../problem.ts'
import type { System } from '../../system.ts'

/**
 * `GET /metrics` for Prometheus. With METRICS_TOKEN it requires that bearer token; in production without the setting it is
 * not found. A request updates one histogram; all other values are read at scrape time.
 */
export function serveMetrics(app: FastifyInstance, system: System): void {
  const registry = new Registry()
  measureRequests(app, registry)
  measureProcess(app, registry)
  measureDatabase(registry, system)
  measureAudit(registry, system)
  measurePasswords(registry, system)

  const { metricsToken, production } = system.config
  app.get('/metrics', async (request, reply) => {
    if (!metricsToken && production) return reply.callNotFound()
    if (metricsToken && !isSame(request.headers.authorization ?? '', `Bearer ${metricsToken.reveal()}`)) {
      reply.header('www-authenticate', 'Bearer')
      throw new Problem(401, 'signInRequired')
    }
    reply.type(registry.contentType)
    return registry.metrics()
  })
}

// Hashed first, because the constant-time comparison needs equal lengths.
const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted))

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const labelNames = ['method', 'route', 'status'] as const
  const durations = new Histogram({
    name: 'vestibule_http_request_duration_seconds',
    help: 'Time to answer a request, by route template.',
    labelNames,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const seriesByKey = new Map<string, ReturnType<typeof durations.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const key = `${request.method} ${route} ${reply.statusCode}`
    let series = seriesByKey.get(key)
    if (!series) {
      series = durations.labels(request.method, route, String(reply.statusCode))
      seriesByKey.set(key, series)
    }
    series.observe(reply.elapsedTime / 1000)
    done()
  })
}

function measureProcess(app: FastifyInstance, registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => void delay.disable())
  new Gauge({
    name: 'vestibule_event_loop_delay_seconds',
    help: 'How late the event loop was since the last scrape.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of [50, 99, 100]) {
        const seconds = delay.percentile(quantile) / 1e9
        this.set({ quantile: String(quantile / 100) }, Number.isFinite(seconds) ? seconds : 0)
      }
      delay.reset()
    },
  })
  new Gauge({
    name: 'vestibule_memory_bytes',
    help: 'Memory of this process.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      const { rss, heapUsed, external } = process.memoryUsage()
      this.set({ kind: 'resident' }, rss)
      this.set({ kind: 'heap' }, heapUsed)
      this.set({ kind: 'external' }, external)
    },
  })
  new Gauge({
    name: 'vestibule_uptime_seconds',
    help: 'Time since this process started.',
    registers: [registry],
    collect() {
      this.set(process.uptime())
    },
  })
}

function measureDatabase(registry: Registry, { db, pool }: System): void {
  new Gauge({
    name: 'vestibule_database_connections',
    help: 'Connections of this process to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  const states = ['queued', 'failed', 'dropped'] as const
  new Gauge({
    name: 'vestibule_outbox_messages',
    help: 'Mail and SMS that have not left.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      const rows = await db
        .selectFrom('outboxMessages')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .where('state', '<>', 'sent')
        .groupBy('state')
        .execute()
        // The other metrics must stay available while the database is down.
        .catch(() => undefined)
      if (!rows) return
      for (const state of states) this.set({ state }, rows.find((row) => row.state === state)?.count ?? 0)
    },
  })
}

function measureAudit(registry: Registry, { db }: System): void {
  new Gauge({
    name: 'vestibule_audit_unsealed_seconds',
    help: 'How long the oldest audit event has waited for its place in the chain.',
    registers: [registry],
    async collect() {
      this.reset()
      const seconds = await unsealedSeconds(db).catch(() => undefined)
      if (seconds !== undefined) this.set(seconds)
    },
  })
}

function measurePasswords(registry: Registry, { passwords }: System): void {
  new Gauge({
    name: 'vestibule_password_hashes',
    help: 'Passwords that are hashed at this moment, and those that wait.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { running, waiting } = passwords.load()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}
