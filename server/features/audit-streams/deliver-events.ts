import type { System } from '#server/platform/system.ts'
import { readSealedEvents, secretsOf } from './audit-streams.repository.ts'
import type { Stream } from './due-streams.repository.ts'
import { payloadOf, type StreamedEvent } from './event-payload.ts'
import { type SyslogTarget, sendSyslog } from './send-syslog.ts'
import { type Delivery, sendWebhook } from './send-webhook.ts'

/** What delivering needs. */
export interface Senders extends Pick<System, 'db' | 'keys' | 'clock' | 'outgoing'> {
  syslog: SyslogTarget | undefined
  /** Writes a line to standard output; undefined where the operator does not want it. */
  writeLine: ((line: string) => void) | undefined
  /** Ends the calls that are under way. */
  signal: AbortSignal
}

type Failed = Extract<Delivery, { delivered: false }>
/** How far a stream has come, and what stopped it. */
export interface Progress {
  deliveredSeq: number
  failed: Failed | undefined
}

const secondsAtATime = 20
// Webhooks of a batch are under way together; the place is that before the first one that failed.
const batchSizes: Record<string, number> = { webhook: 10, syslog: 500, stdout: 1000 }

/** Delivers what waits for a stream, in order, until nothing waits, something fails or the time is up. */
export async function deliverEvents(senders: Senders, stream: Stream): Promise<Progress> {
  const { db, signal } = senders
  const end = performance.now() + secondsAtATime * 1000
  let deliveredSeq = Number(stream.deliveredSeq)
  const limit = batchSizes[stream.kind] ?? 1
  while (performance.now() < end && !signal.aborted) {
    const events = await readSealedEvents(db, { from: deliveredSeq + 1, limit })
    const results = await sendAll(senders, stream, events)
    const failedAt = results.findIndex(({ delivered }) => !delivered)
    const last = failedAt === -1 ? events.at(-1) : events[failedAt - 1]
    deliveredSeq = last?.seq ?? deliveredSeq
    const failed = results[failedAt]
    if (failed && !failed.delivered) return { deliveredSeq, failed }
    if (events.length < limit) break
  }
  return { deliveredSeq, failed: undefined }
}

async function sendAll(senders: Senders, stream: Stream, events: readonly StreamedEvent[]): Promise<Delivery[]> {
  if (events.length === 0) return []
  if (stream.kind === 'webhook') return Promise.all(events.map((event) => sendEvent(senders, stream, event)))
  try {
    if (stream.kind === 'syslog' && senders.syslog) await sendSyslog(senders.syslog, events)
    if (stream.kind === 'stdout') for (const event of events) senders.writeLine?.(payloadOf(event))
    return events.map(() => ({ delivered: true }))
  } catch (error) {
    return [{ delivered: false, problem: (error as Error).message, gone: false, retryAfter: undefined }]
  }
}

/** Sends one event to a webhook. Its id is the same each time, so that a receiver knows it again. */
export const sendEvent = (
  senders: Pick<Senders, 'keys' | 'clock' | 'outgoing'>,
  stream: Stream,
  event: StreamedEvent,
) => sendBody(senders, stream, { id: `evt_${event.id}`, body: payloadOf(event) })

/** Signs and sends a message to a webhook. */
export async function sendBody(
  { keys, clock, outgoing }: Pick<Senders, 'keys' | 'clock' | 'outgoing'>,
  stream: Stream,
  message: { id: string; body: string },
): Promise<Delivery> {
  const now = clock()
  return sendWebhook(outgoing, { ...message, url: stream.url ?? '', secrets: await secretsOf(keys, stream, now), now })
}
