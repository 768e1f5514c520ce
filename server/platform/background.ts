import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import { type DeliveryOptions, deliverMessage, giveUpMessage } from './deliver-message.ts'
import type { MessageKind } from './outbox.ts'
import { queueSchema } from './queues.ts'

/** A job that recurs: one process of all does it each time. */
export interface RecurringJob {
  name: string
  /** Five fields, UTC. */
  cron: string
  run(): Promise<void>
}

interface BackgroundOptions {
  /** Address and role as of the pool. The queue keeps three connections of its own, one of them to be woken by. */
  url: string
  role?: string | undefined
  delivery: DeliveryOptions
  jobs: readonly RecurringJob[]
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/** What runs without a request: deliveries and recurring jobs. */
export interface Background {
  /** Finishes what is under way, at most 4 s; what is not finished then is tried again by the next process. */
  stop(): Promise<void>
}

// Seconds. A commit wakes the workers; nothing wakes them for a try that was put off.
const lookEvery = 5

// Several beside each other: a batch ends with its slowest message, and the others must not wait for that. Together they
// fit into the time that a job may take: three turns of the five connections to the mail server.
const batches = 3
const batchSize = 5

/** Starts the deliveries and the recurring jobs. Call it when the server listens: it takes 150 ms that nobody waits for. */
export async function startBackground({ url, role, delivery, jobs, log }: BackgroundOptions): Promise<Background> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'vestibule background',
    ...(role ? { options: `-c role=${role}` } : {}),
    max: 3,
    schema: queueSchema,
    // Tables belong to another role, which makes and repairs them.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: true,
  })
  boss.on('error', (error) => log.error({ err: error }, 'background work failed'))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'background work'))
  await boss.start()
  for (const kind of ['mail', 'sms'] as const) await deliverFrom(boss, kind, delivery)
  await repeat(boss, jobs, log)
  return { stop: () => boss.stop({ graceful: true, timeout: 4000 }) }
}

async function deliverFrom(boss: PgBoss, kind: MessageKind, delivery: DeliveryOptions): Promise<void> {
  const options = {
    batchSize,
    burstWhenBatchFull: true,
    perJobResults: true,
    notifyPollingIntervalSeconds: lookEvery,
    localConcurrency: batches,
  } as const
  await boss.work<{ id: string }, unknown, typeof options>(kind, options, (batch) =>
    Promise.all(
      batch.map(async (job: Job<{ id: string }>) => {
        try {
          await deliverMessage(delivery, job.data.id)
          return { id: job.id, status: 'completed' as const }
        } catch (error) {
          return { id: job.id, status: 'failed' as const, output: { message: (error as Error).message } }
        }
      }),
    ),
  )
  await boss.work<{ id: string }>(`${kind}-dead`, { pollingIntervalSeconds: 30 }, async (batch) => {
    for (const job of batch) await giveUpMessage(delivery, job.data.id)
  })
}

async function repeat(boss: PgBoss, jobs: readonly RecurringJob[], log: BackgroundOptions['log']): Promise<void> {
  const queue = 'jobs'
  for (const { key } of await boss.getSchedules(queue))
    if (!jobs.some(({ name }) => name === key)) await boss.unschedule(queue, key)
  for (const { name, cron } of jobs) await boss.schedule(queue, cron, { name }, { key: name, tz: 'UTC' })
  await boss.work<{ name: string }>(queue, { pollingIntervalSeconds: 5 }, async (batch) => {
    for (const { data } of batch) {
      const job = jobs.find(({ name }) => name === data.name)
      if (!job) log.warn({ job: data.name }, 'a recurring job of another version was skipped')
      await job?.run()
    }
  })
}
