import { setTimeout as after } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** What readiness waits for at most; a load balancer asks every few seconds. */
const patienceMs = 1000

interface HealthOptions {
  /** Answers once the database is reachable and has every migration; false or a failure means not yet. */
  isReady: () => Promise<boolean>
}

/** The way to tell the load balancer in advance. */
export interface Health {
  /** From now on "not ready": the load balancer sends no more, while what is under way is finished. */
  drain(): void
}

/**
 * `GET /health/live`: this process runs. `GET /health/ready`: it can work now, else 503 with `Retry-After`.
 *
 * Both answer whoever asks, under any host name, and say nothing but yes or no.
 */
export function serveHealth(app: FastifyInstance, { isReady }: HealthOptions): Health {
  let draining = false
  let asking: Promise<boolean> | undefined

  // Probes that come while one is waiting for a slow database wait for the same answer instead of taking connections.
  const ask = () => {
    asking ??= isReady()
      .catch(() => false)
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  const readyInTime = async () => {
    const waiting = new AbortController()
    try {
      return await Promise.race([ask(), after(patienceMs, false, { signal: waiting.signal })])
    } finally {
      waiting.abort()
    }
  }

  app.addHook('preClose', async () => {
    draining = true
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
 * Is the database reachable, with every migration that this version needs? A newer version may have added more: while
 * nodes are exchanged one by one, the old ones go on.
 *
 * @param needed how many migrations this version has
 */
export const databaseReadiness = (pool: Pick<pg.Pool, 'query'>, needed: number) => async (): Promise<boolean> => {
  const { rows } = await pool.query<{ number: number | null }>('select max(number) as number from migrations')
  return (rows[0]?.number ?? 0) >= needed
}
