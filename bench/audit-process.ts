import { sql } from 'kysely'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { startSealer } from '#server/platform/audit/sealer.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import { rate } from './measure.ts'

/** What one process of `measureAudit` is to do. */
export interface Writing {
  url: string
  /** The row of each writer. */
  serviceIds: string[]
  seconds: number
  audited: boolean
}

process.once('message', async ({ url, serviceIds, seconds, audited }: Writing) => {
  const { db, close } = openDatabase({ url, size: serviceIds.length })
  const forSealer = openDatabase({ url, size: 1 })
  const sealer = audited ? startSealer({ db: forSealer.db, log: { error: console.error } }) : undefined
  const actor = { id: newId(), label: 'super@vestibule.example', organizationIds: [] }
  let version = 0
  const change = (writer: number) =>
    inTransaction(db, async (trx) => {
      const serviceId = serviceIds[writer] ?? ''
      const description = `Version ${version++}`
      const change = sql`update services set description = ${description}, version = version + 1
        where service_id = ${serviceId}::uuid returning *`
      await executePrepared(trx, change)
      if (!audited) return
      const target = { id: serviceId, label: 'Journal' }
      const entry = { name: 'updateService', target, before: { description: '' }, after: { description } } as const
      await writeAuditEvent(trx, entry, { actor, requestId: newId(), now: new Date() })
    })
  // A process that has just started compiles its code, and two of them twice.
  await rate(serviceIds.length, 2, change)
  const perSecond = await rate(serviceIds.length, seconds, change)
  await sealer?.stop()
  await Promise.all([close(), forSealer.close()])
  process.send?.(perSecond, () => process.exit())
})
