import { type AuditEntry, toAuditRow } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'

/** An event of the past. */
export interface PastEvent {
  at: Date
  entry: AuditEntry
}

// The head of the chain is one row that every event rewrites. Within one transaction its old versions pile up, so that each
// further event takes longer.
const eventsPerTransaction = 250

/** Writes events in the order of their times; the database chains them as any others. */
export async function addHistory(db: Db, events: readonly PastEvent[]): Promise<void> {
  const rows = events
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, entry }) => toAuditRow(entry, { requestId: 'demo', now: at }))
  for (let from = 0; from < rows.length; from += eventsPerTransaction)
    await db
      .insertInto('auditEvents')
      .values(rows.slice(from, from + eventsPerTransaction))
      .execute()
}
