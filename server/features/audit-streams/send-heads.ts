import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { System } from '#server/platform/system.ts'
import { findHead, listRunningWebhooks } from './audit-streams.repository.ts'
import { sendBody } from './deliver-events.ts'

type Parts = Pick<System, 'db' | 'keys' | 'clock' | 'outgoing' | 'log'>

/**
 * Sends the head of the audit chain to every webhook: who keeps it notices rows that are cut off later. The next one comes
 * in five minutes, so nothing is tried again.
 */
export const createAuditHeadsJob = (parts: Parts): RecurringJob => ({
  name: 'audit-head-sent',
  cron: '*/5 * * * *',
  run: async () => {
    const { db, clock, log } = parts
    const { seq, hash } = await findHead(db)
    const now = clock()
    const body = JSON.stringify({
      type: 'audit.head',
      timestamp: now.toISOString(),
      data: { seq, hash: hash.toString('hex') },
    })
    const message = { id: `head_${seq}_${Math.floor(now.getTime() / 1000)}`, body }
    const streams = await listRunningWebhooks(db)
    await Promise.all(
      streams.map(async (stream) => {
        const delivery = await sendBody(parts, stream, message)
        if (delivery.delivered) return
        const { streamId } = stream
        log.warn({ streamId, problem: delivery.problem }, 'the head of the audit chain could not be sent')
      }),
    )
  },
})
