import type { Kysely } from 'kysely'
import type { DB } from '#server/platform/database/database-types.ts'

/** The reason of messages that were queued when the backup was written: the original has most likely sent them. */
const restored = 'was queued when the backup was written'

/**
 * Lets a restored copy send.
 *
 * @param sendQueued also what the backup had queued
 * @returns how many messages stay unsent; undefined when the copy was not in quarantine
 */
export function endQuarantine(
  db: Kysely<DB>,
  { now, sendQueued }: { now: Date; sendQueued: boolean },
): Promise<{ withheld: number } | undefined> {
  return db.transaction().execute(async (trx) => {
    const { quarantinedSince } = await trx
      .selectFrom('installation')
      .select('quarantinedSince')
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!quarantinedSince) return undefined
    await trx.updateTable('installation').set({ quarantinedSince: null }).execute()
    if (sendQueued) return { withheld: 0 }
    const withhold = { state: 'failed', reason: restored } as const
    const messages = await trx
      .updateTable('outboxMessages')
      .set({ ...withhold, finishedAt: now })
      .where('state', '=', 'queued')
      .where('createdAt', '<=', quarantinedSince)
      .returning('id')
      .execute()
    await trx
      .updateTable('logoutDeliveries')
      .set({ ...withhold, finishedAt: now })
      .where('state', '=', 'queued')
      .where('createdAt', '<=', quarantinedSince)
      .execute()
    return { withheld: messages.length }
  })
}
