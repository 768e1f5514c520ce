import { type Kysely, type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { AuditStreams, DB } from '#server/platform/database/database-types.ts'
import { newId } from '#server/platform/ids.ts'
import { stands } from './audit-streams.repository.ts'

export type Stream = Selectable<AuditStreams>
export type StreamKind = 'webhook' | 'syslog' | 'stdout'

// Longer than a process delivers at a time.
const leaseMs = 60_000

/** Claims the streams for which events wait and that are due: one process delivers to a stream at a time. */
export async function claimDueStreams(db: Kysely<DB>, kinds: readonly StreamKind[], now: Date): Promise<Stream[]> {
  const due = db
    .selectFrom('auditStreams')
    .select('streamId')
    .where('kind', 'in', kinds)
    .where('stopped', 'is', null)
    .where(stands)
    .where('nextTryAt', '<=', now)
    .where('deliveredSeq', '<', sql<number>`(select seq from audit_head)`)
    .forUpdate()
    .skipLocked()
  const claimed = await db
    .updateTable('auditStreams')
    .set({ nextTryAt: new Date(now.getTime() + leaseMs) })
    .where('streamId', 'in', due)
    .returningAll()
    .execute()
  return claimed
}

/**
 * Records what became of a claimed stream and ends the lease.
 *
 * @returns false when somebody has set another place since then; that one counts
 */
export async function recordResult(
  db: Db,
  { streamId, deliveredSeq }: Stream,
  result: Partial<Pick<Stream, 'lastDeliveredAt' | 'failures' | 'lastProblem' | 'stopped'>> & {
    deliveredSeq: number
    nextTryAt: Date
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auditStreams')
    .set(result)
    .where('streamId', '=', streamId)
    .where('deliveredSeq', '=', deliveredSeq)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What the operator has set begins with the next event; what is no longer set is forgotten. */
export async function keepOperatorsStreams(db: Kysely<DB>, kinds: readonly StreamKind[], now: Date): Promise<void> {
  for (const kind of ['syslog', 'stdout'] as const)
    if (kinds.includes(kind))
      await db
        .insertInto('auditStreams')
        .values({ streamId: newId(), kind, deliveredSeq: sql`(select seq from audit_head)`, nextTryAt: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else await db.deleteFrom('auditStreams').where('kind', '=', kind).execute()
}
