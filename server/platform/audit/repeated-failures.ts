import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { DB } from '../database/database-types.ts'
import { executePrepared } from '../database/prepared-statements.ts'

/** The part of an audit entry that matters here. */
interface Failure {
  target?: { label: string }
  after?: Record<string, unknown>
}

/** Failed sign-ins of one address and origin in an hour that have an event of their own. */
export const eventsAnHour = 20

const anHour = 3600 * 1000
const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / anHour) * anHour)

/**
 * Counts a failed sign-in.
 *
 * @returns whether there were so many in this hour that it gets no event of its own
 */
export async function isRepeatedFailure(db: Db, entry: Failure, now: Date): Promise<boolean> {
  const label = (entry.target?.label ?? '').replaceAll('\u0000', '\uFFFD').toWellFormed().slice(0, 300)
  const origin = String(entry.after?.address ?? '')
  const { rows } = await executePrepared(
    db,
    sql<{ count: number }>`
      insert into repeated_failures as known (label, origin, hour, count, event)
      values (${label}, ${origin}, ${hourOf(now)}::timestamptz, 1, ${JSON.stringify(entry)}::jsonb)
      on conflict (label, origin, hour) do update set count = known.count + 1
      returning count`,
  )
  return (rows[0]?.count ?? 0) > eventsAnHour
}

/** Forgets the hours that are over, and writes one event for the failures of each that have none. */
export async function closeFailureHours<Entry extends Failure>(
  db: Kysely<DB>,
  now: Date,
  write: (db: Db, entry: Entry) => Promise<void>,
): Promise<void> {
  for (;;) {
    const closed = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ count: number; event: Entry }>`
        delete from repeated_failures where (label, origin, hour) in (
          select label, origin, hour from repeated_failures where hour < ${hourOf(now)} limit 500 for update skip locked)
        returning count, event`.execute(trx)
      for (const { count, event } of rows) {
        if (count <= eventsAnHour) continue
        await write(trx, { ...event, after: { ...event.after, count: count - eventsAnHour } })
      }
      return rows.length
    })
    if (closed === 0) return
  }
}
