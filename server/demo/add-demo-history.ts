import { randomUUID } from 'node:crypto'
import { kept } from '#contract/kept.ts'
import { type AuditEntry, toAuditRow } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import { dayMs } from './demo-load.ts'

/** An event of the past. */
export interface PastEvent {
  at: Date
  entry: AuditEntry
}

const eventsPerStatement = 1000

/** Writes events in the order of their times; they are sealed as any others. */
export async function addHistory(db: Db, events: readonly PastEvent[]): Promise<void> {
  const rows = events
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, entry }) => toAuditRow(entry, { requestId: 'demo', now: at }))
  for (let from = 0; from < rows.length; from += eventsPerStatement)
    await db
      .insertInto('auditEvents')
      .values(rows.slice(from, from + eventsPerStatement))
      .execute()
}

/** Those of the last days at an organisation's identity provider, as its configuration shows them. */
export async function addSamlSignIns(db: Db, events: readonly PastEvent[], now: Date): Promise<void> {
  const since = now.getTime() - Number(kept.keepSamlSignIns.fallback) * dayMs
  const ofSaml = events.filter(
    ({ at, entry: { name, after } }) => at.getTime() > since && name !== 'logout' && after?.method === 'saml',
  )
  const { id: samlConfigId } = await db.selectFrom('samlConfigs').select('id').executeTakeFirstOrThrow()
  const rows = ofSaml.map(({ at, entry }) => {
    const failed = entry.name === 'loginFailure' && { failure: 'clock', detail: 'the assertion is not valid any more' }
    return {
      id: newId(),
      samlConfigId,
      createdAt: at,
      email: entry.target?.label ?? null,
      reference: randomUUID(),
      ...failed,
    }
  })
  if (rows.length > 0) await db.insertInto('samlSignIns').values(rows).execute()
}
