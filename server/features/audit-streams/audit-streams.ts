import { setTimeout as wait } from 'node:timers/promises'
import { fallbackLanguage } from '#contract/roles.ts'
import { listSuperUsers } from '#server/accounts/super-users.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { System } from '#server/platform/system.ts'
import { deliverEvents, type Progress, type Senders } from './deliver-events.ts'
import {
  claimDueStreams,
  keepOperatorsStreams,
  recordResult,
  type Stream,
  type StreamKind,
} from './due-streams.repository.ts'

export type StreamsContext = Omit<Senders, 'signal'> & Pick<System, 'outbox' | 'log'>

const minute = 60_000
const hour = 60 * minute
/** After each failure but the last: ten attempts in three days. */
const delays = [5000, 5 * minute, 25 * minute, 2 * hour, 4 * hour, 8 * hour, 14 * hour, 20 * hour, 23.5 * hour]
/** A stream from the settings is never given up: it is retried after this time at most. */
const longestPause = 5 * minute

const kindsOf = ({ syslog, writeLine }: StreamsContext): StreamKind[] => [
  'webhook',
  ...(syslog ? (['syslog'] as const) : []),
  ...(writeLine ? (['stdout'] as const) : []),
]

/** Claims the streams that are due and delivers to all of them side by side. Each promise ends with its stream. */
export async function deliverDue(context: StreamsContext, signal: AbortSignal): Promise<Promise<void>[]> {
  const due = await claimDueStreams(context.db, kindsOf(context), context.clock())
  return due.map(async (stream) => {
    try {
      await finish(context, stream, await deliverEvents({ ...context, signal }, stream))
    } catch (error) {
      context.log.error({ err: error, streamId: stream.streamId }, 'audit events could not be delivered')
    }
  })
}

async function finish(context: StreamsContext, stream: Stream, { deliveredSeq, failed }: Progress): Promise<void> {
  const { db, clock, log } = context
  const now = clock()
  const moved = deliveredSeq > Number(stream.deliveredSeq)
  const lastDeliveredAt = moved ? now : stream.lastDeliveredAt
  if (!failed) {
    await recordResult(db, stream, { deliveredSeq, lastDeliveredAt, failures: 0, lastProblem: null, nextTryAt: now })
    return
  }
  const failures = moved ? 1 : stream.failures + 1
  const { problem: lastProblem, gone, retryAfter } = failed
  log.warn({ streamId: stream.streamId, kind: stream.kind, failures, problem: lastProblem }, 'audit events wait')
  const delay = delays[failures - 1]
  const isWebhook = stream.kind === 'webhook'
  const stopped = !isWebhook ? null : gone ? 'gone' : delay === undefined ? 'failed' : null
  const pause = isWebhook ? (delay ?? 0) : Math.min(delay ?? longestPause, longestPause)
  const nextTryAt = new Date(Math.max(now.getTime() + pause, retryAfter?.getTime() ?? 0))
  const result = { deliveredSeq, lastDeliveredAt, failures, lastProblem, nextTryAt, stopped }
  if (!stopped) return void (await recordResult(db, stream, result))
  await inTransaction(db, async (trx) => {
    if (await recordResult(trx, stream, result)) await tellOfStop(trx, context, { ...stream, stopped })
  })
}

async function tellOfStop(
  db: Parameters<typeof writeAuditEvent>[0],
  { outbox, clock }: StreamsContext,
  stream: Stream,
) {
  const { streamId, url, stopped } = stream
  const name = url ?? ''
  await writeAuditEvent(
    db,
    { name: 'stopAuditStream', target: { id: streamId, label: name }, after: { reason: stopped } },
    { requestId: 'audit-streams', now: clock() },
  )
  for (const { accountId, email, firstName, preferredLanguage } of await listSuperUsers(db))
    await outbox.mail(
      db,
      mailMessage({
        template: 'stream-stopped',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        values: { firstName, streamId, url: name, gone: stopped === 'gone' },
      }),
    )
}

const pauseMs = 2000

/** Delivers events as they are sealed, until it is stopped. All processes run this, one at a time delivers to a stream. */
export function startAuditStreams(context: StreamsContext): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  const running = (async () => {
    let prepared = false
    while (!stopping.signal.aborted) {
      try {
        if (!prepared) await keepOperatorsStreams(context.db, kindsOf(context), context.clock())
        prepared = true
        for (const delivery of await deliverDue(context, stopping.signal)) {
          open.add(delivery)
          void delivery.finally(() => open.delete(delivery))
        }
      } catch (error) {
        context.log.error({ err: error }, 'audit events could not be streamed; retrying')
      }
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
      await Promise.all(open)
    },
  }
}
