import { Gauge, type Registry } from 'prom-client'
import { unsealedSeconds } from '../../audit/sealer.ts'
import type { Db } from '../../database/database.ts'
import { readQueues } from '../../jobs/queue-state.ts'
import type { System } from '../../system.ts'

/** A gauge whose values are read from the database. Without an answer it has none; the other metrics stay available. */
export function readGauge<Label extends string>(
  registry: Registry,
  options: { name: string; help: string; labelNames?: readonly Label[] },
  read: () => Promise<readonly { labels: Partial<Record<Label, string>>; value: number }[]>,
): void {
  new Gauge<Label>({
    ...options,
    labelNames: [...(options.labelNames ?? [])],
    registers: [registry],
    async collect() {
      this.reset()
      // A gauge without labels starts at 0, which would be a wrong value.
      if (!options.labelNames) this.remove()
      for (const { labels, value } of await read().catch(() => [])) this.set(labels, value)
    },
  })
}

/** The pool, the queues, the outbox, sign-outs at services, and what waits for its place in the audit chain. */
export function measureWork(registry: Registry, { db, pool }: System): void {
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
  const queues = shared(() => readQueues(db))
  readGauge(
    registry,
    { name: 'vestibule_queue_jobs', help: 'Jobs that wait for an attempt, by queue.', labelNames: ['queue'] },
    async () => (await queues()).map(({ name, waiting }) => ({ labels: { queue: name }, value: waiting })),
  )
  readGauge(
    registry,
    {
      name: 'vestibule_queue_oldest_job_seconds',
      help: 'For how long the oldest job of a queue has waited.',
      labelNames: ['queue'],
    },
    async () => (await queues()).map(({ name, oldestSeconds }) => ({ labels: { queue: name }, value: oldestSeconds })),
  )
  readGauge(
    registry,
    { name: 'vestibule_outbox_messages', help: 'Mail and SMS that have not left.', labelNames: ['state'] },
    () => countStates(db, 'outboxMessages', ['queued', 'failed', 'dropped']),
  )
  readGauge(
    registry,
    {
      name: 'vestibule_logout_deliveries',
      help: 'Sign-outs that services were not told of: those that are tried, and those that were given up and are still kept.',
      labelNames: ['state'],
    },
    () => countStates(db, 'logoutDeliveries', ['queued', 'failed']),
  )
  readGauge(
    registry,
    {
      name: 'vestibule_audit_unsealed_seconds',
      help: 'How long the oldest audit event has waited for its place in the chain.',
    },
    async () => [{ labels: {}, value: await unsealedSeconds(db) }],
  )
}

async function countStates(db: Db, table: 'outboxMessages' | 'logoutDeliveries', states: readonly string[]) {
  const rows = await db
    .selectFrom(table)
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', states)
    .groupBy('state')
    .execute()
  return states.map((state) => ({ labels: { state }, value: rows.find((row) => row.state === state)?.count ?? 0 }))
}

/** Reads the database once for all gauges of a scrape. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
