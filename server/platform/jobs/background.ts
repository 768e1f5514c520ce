import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import { connectionTo } from '../database/connect.ts'
import { isUnreachable } from '../database/database-problems.ts'
import { markLost } from '../database/lost-connection.ts'
import { queueSchema } from '../database/queues.ts'
import { type DeliveryOptions, deliverMessage, giveUpMessage } from '../messages/deliver-message.ts'
import type { MessageKind } from '../messages/outbox.ts'
import { type RecurringJob, runJob } from './run-job.ts'

interface BackgroundOptions {
  /** The same URL and role as for the pool. pg-boss opens three connections and one for LISTEN. */
  url: string
  role?: string | undefined
  delivery: DeliveryOptions
  /** Other queues of deliveries. */
  queues?: readonly DeliveryQueue[]
  jobs: readonly RecurringJob[]
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/** A queue whose jobs carry the id of a row that says what to deliver. */
export interface DeliveryQueue {
  name: string
  /** How many are delivered at once, in batches that end with their slowest. */
  batches: number
  batchSize: number
  /** @throws Error when a retry may help; pg-boss stores the message, so it must not contain personal data */
  deliver(id: string): Promise<void>
  /** After the last retry. */
  giveUp(id: string): Promise<void>
}

/** Work outside of requests: deliveries and recurring jobs. */
export interface Background {
  /** Waits up to 4 s for running jobs; another process retries those that did not finish. */
  stop(): Promise<void>
}

// Seconds between polls. A commit notifies the workers, but a delayed retry and a recurring job do not.
const pollInterval = 10
const pollIntervalOfJobs = 20

// Several batches run in parallel, because a batch ends only with its slowest message. All of them fit into the time-out
// of a job: three rounds of the five connections to the mail server.
const batches = 3
const batchSize = 5

/** Starts deliveries and recurring jobs. Call it after the server listens: it takes 150 ms. */
export async function startBackground({
  url,
  role,
  delivery,
  queues = [],
  jobs,
  log,
}: BackgroundOptions): Promise<Background> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...connectionTo(url),
    application_name: 'vestibule background',
    ...(role ? { options: `-c role=${role}` } : {}),
    max: 3,
    schema: queueSchema,
    // The tables belong to the database owner, who creates and maintains them.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    useListenNotify: true,
  })
  boss.on('error', (error) => {
    markIfUnreachable(error)
    log.error({ err: error }, 'background work failed')
  })
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'background work'))
  await boss.start().catch((error: unknown) => {
    markIfUnreachable(error)
    throw error
  })
  for (const queue of [messageQueue('mail', delivery), messageQueue('sms', delivery), ...queues])
    await deliverFrom(boss, queue)
  await repeat(boss, { delivery, jobs, log })
  return { stop: () => boss.stop({ graceful: true, timeout: 4000 }) }
}

/** pg-boss has connections of its own. */
function markIfUnreachable(error: unknown): void {
  if (isUnreachable(error)) markLost(error)
}

const messageQueue = (name: MessageKind, delivery: DeliveryOptions): DeliveryQueue => ({
  name,
  batches,
  batchSize,
  deliver: (id) => deliverMessage(delivery, id),
  giveUp: (id) => giveUpMessage(delivery, id),
})

async function deliverFrom(boss: PgBoss, { name, batches, batchSize, deliver, giveUp }: DeliveryQueue): Promise<void> {
  const options = {
    batchSize,
    burstWhenBatchFull: true,
    perJobResults: true,
    notifyPollingIntervalSeconds: pollInterval,
    localConcurrency: batches,
  } as const
  await boss.work<{ id: string }, unknown, typeof options>(name, options, (batch) =>
    Promise.all(
      batch.map(async (job: Job<{ id: string }>) => {
        try {
          await deliver(job.data.id)
          return { id: job.id, status: 'completed' as const }
        } catch (error) {
          return { id: job.id, status: 'failed' as const, output: { message: (error as Error).message } }
        }
      }),
    ),
  )
  await boss.work<{ id: string }>(`${name}-dead`, { pollingIntervalSeconds: 30 }, async (batch) => {
    for (const job of batch) await giveUp(job.data.id)
  })
}

type Recurring = Pick<BackgroundOptions, 'delivery' | 'jobs' | 'log'>

async function repeat(boss: PgBoss, { delivery, jobs, log }: Recurring): Promise<void> {
  const queue = 'jobs'
  for (const { key } of await boss.getSchedules(queue))
    if (!jobs.some(({ name }) => name === key)) await boss.unschedule(queue, key)
  for (const { name, cron } of jobs) await boss.schedule(queue, cron, { name }, { key: name, tz: 'UTC' })
  // Two at once: a long job must not hold back the head of the audit chain.
  await boss.work<{ name: string }>(
    queue,
    { pollingIntervalSeconds: pollIntervalOfJobs, localConcurrency: 2 },
    async (batch) => {
      for (const { data } of batch) {
        const job = jobs.find(({ name }) => name === data.name)
        if (job) await runJob(delivery, job)
        else log.warn({ job: data.name }, 'a recurring job of another version was skipped')
      }
    },
  )
}
