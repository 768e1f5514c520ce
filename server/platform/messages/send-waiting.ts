import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { queueSchema } from '../database/queues.ts'
import type { MessageKind } from './outbox.ts'

const jobs = sql.id(queueSchema, 'job')

/**
 * Messages that wait for their next try, up to an hour after a failed one, are tried now: workers look every five seconds.
 *
 * @returns their ids in the outbox
 */
export async function sendWaiting(db: Db, kinds: readonly MessageKind[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update ${jobs} set start_after = now()
    where name = any (${kinds}::text[]) and state < 'active' and start_after > now()
    returning data ->> 'id' as id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The ids in the outbox of what waits for its next try. */
export async function findWaiting(db: Db, kinds: readonly MessageKind[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select data ->> 'id' as id from ${jobs}
    where name = any (${kinds}::text[]) and state < 'active' and start_after > now()`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
