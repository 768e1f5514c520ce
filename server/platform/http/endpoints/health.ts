import type { Server } from 'node:http'
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** Time limit of a readiness probe; load balancers probe every few seconds. */
const timeoutMs = 1000

interface HealthOptions {
  /** Resolves to true when the database is reachable and fully migrated; false or an error means not ready. */
  isReady: () => Promise<boolean>
}

/** Announces a shutdown to the load balancer. */
export interface Health {
  /** From now on reports "not ready" and closes each connection with its next answer; requests are served as before. */
  drain(): void
}

/**
 * `GET /health/live`: the process runs. `GET /health/ready`: it can serve requests, else 503 with `Retry-After`.
 *
 * Both are public, accept any host name, and reveal nothing but their status.
 */
export function serveHealth(app: FastifyInstance, { isReady }: HealthOptions): Health {
  let draining = false
  let pending: Promise<boolean> | undefined

  // Concurrent probes share one check, so that they do not use up connections while the database is slow.
  const check = () => {
    pending ??= isReady()
      .catch(() => false)
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  const readyInTime = async () => {
    const timeout = new AbortController()
    try {
      return await Promise.race([check(), after(timeoutMs, false, { signal: timeout.signal })])
    } finally {
      timeout.abort()
    }
  }

  app.addHook('preClose', async () => {
    draining = true
    if (app.server.listening) await closePort(app.server)
  })
  // Clients and proxies that keep a connection open take their next request to another process.
  app.addHook('onRequest', (_request, reply, done) => {
    if (draining) reply.raw.setHeader('connection', 'close')
    done()
  })
  app.get('/health/live', async (_, reply) => reply.send({ status: 'live' }))
  app.get('/health/ready', async (_, reply) => {
    if (!draining && (await readyInTime())) return reply.send({ status: 'ready' })
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ status: draining ? 'draining' : 'unavailable' })
  })
  return {
    drain: () => {
      draining = true
    },
  }
}

/**
 * Closes the port and waits for the open requests. A connection that waits in the port's queue when it closes is lost, and
 * each turn of the event loop accepts one. So the port closes right after a turn that was short and accepted none; a
 * busy process does it after half a second all the same.
 */
async function closePort(server: Server): Promise<void> {
  server.closeIdleConnections()
  let accepted = true
  server.on('connection', () => {
    accepted = true
  })
  const deadline = performance.now() + 500
  let began: number
  do {
    accepted = false
    began = performance.now()
    await nextTurn()
  } while ((accepted || performance.now() - began > 1) && began < deadline)
  await new Promise((closed) => server.close(closed))
}

/**
 * Checks that the database is reachable and has all migrations of this version. It may have newer ones: during a rolling
 * update old nodes keep serving.
 *
 * @param needed how many migrations this version has
 */
export const createReadinessCheck = (pool: Pick<pg.Pool, 'query'>, needed: number) => async (): Promise<boolean> => {
  const { rows } = await pool.query<{ number: number | null }>('select max(number) as number from migrations')
  return (rows[0]?.number ?? 0) >= needed
}
