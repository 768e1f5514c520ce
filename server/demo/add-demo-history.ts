import { type AuditEntry, toAuditRow } from '#server/platform/audit/audit.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { Db } from '#server/platform/database/database.ts'

/** An event of the past. */
export interface PastEvent {
  at: Date
  entry: AuditEntry
}

const eventsPerStatement = 1000

/** Writes events in the order of their times; seals them as any others. */
export async function addHistory(db: Db, events: readonly PastEvent[]): Promise<void> {
  const rows = events
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, entry }) => toAuditRow(entry, { requestId: 'demo', now: at }))
  for (let from = 0; from < rows.length; from += eventsPerStatement)
    await db
      .insertInto('auditEvents')
      .values(rows.slice(from, from + eventsPerStatement))
      .execute()
  await sealAuditEvents(db)
}
