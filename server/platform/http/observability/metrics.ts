import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Gauge, Histogram, Registry } from 'prom-client'
import { Problem } from '../../problem.ts'
import type { System } from '../../system.ts'
import { type Certificate, measureDates } from './measure-dates.ts'
import { measureWork } from './measure-work.ts'

/**
 * `GET /metrics` for Prometheus. With METRICS_TOKEN it requires that bearer token; in production without the setting it is
 * not found. A request updates one histogram; all other values are read at scrape time.
 */
export function serveMetrics(
  app: FastifyInstance,
  system: System,
  listCertificates: () => Promise<readonly Certificate[]>,
): void {
  const registry = new Registry()
  measureRequests(app, registry)
  measureProcess(app, registry, system)
  registry.registerMetric(system.counters.signIns)
  registry.registerMetric(system.counters.limitsHit)
  measureWork(registry, system)
  measureDates(registry, system, listCertificates)

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

function measureProcess(
  app: FastifyInstance,
  registry: Registry,
  { version, passwords, quarantine, clock, readCopy }: System,
): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => void delay.disable())
  new Gauge({
    name: 'vestibule_event_loop_delay_seconds',
    help: 'How late the event loop was since the last scrape.',
    labelNames: ['percentile'],
    registers: [registry],
    collect() {
      for (const percentile of [50, 99, 100]) {
        const seconds = delay.percentile(percentile) / 1e9
        this.set({ percentile: String(percentile) }, Number.isFinite(seconds) ? seconds : 0)
      }
      delay.reset()
    },
  })
  if (readCopy)
    new Gauge({
      name: 'vestibule_replica_lag_seconds',
      help: 'Seconds that the replica for reading is behind at most; none while it does not answer.',
      registers: [registry],
      collect() {
        const lag = readCopy.lag()
        if (lag === undefined) this.remove()
        else this.set(lag)
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
  new Gauge({
    name: 'vestibule_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  new Gauge({
    name: 'vestibule_quarantine_seconds',
    help: 'For how long this is a restored copy that sends nothing; 0 for any other.',
    registers: [registry],
    collect() {
      const since = quarantine.since()
      this.set(since ? (clock().getTime() - since.getTime()) / 1000 : 0)
    },
  })
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
