import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { executePrepared } from '../database/prepared-statements.ts'
import type { LimitName, LimitRule } from '../limit-rules.ts'

/** A limit with the key that is counted, as a row of the table `limits`. */
export interface LimitRow extends LimitRule {
  name: LimitName
  times: number
  /** The name and a hash of the key: addresses and ids are not stored. */
  key: string
}

/** What a row was counted as. */
export interface Counted<Found> {
  key: string
  /** The count with this event; `null` when nothing was counted. */
  count: number | null
  /** The end of the last block before this event, which may have passed. */
  blockedUntil: Date | null
  /** When the window began; `null` when nothing was counted. Later in a limit that has been paused. */
  since: Date | null
  /** What `read` selected; `null` where it found nothing. */
  found: Found | null
}

/**
 * One statement. `held` locks the existing rows. If one is blocked, nothing is counted. Otherwise each count goes up, in a
 * new window if the old one has ended or there was no row. A row is blocked when its points are used up: until the window
 * ends, or for the doubling pause. A window lasts one window longer than its pauses, so that waiting out a pause does not
 * reset it. `(select …)` hides the length of the arrays, as in `settlement`.
 *
 * @param read what to look up in the same statement; at most one row
 */
export async function countRows<Found>(
  db: Db,
  rows: readonly LimitRow[],
  now: Date,
  read?: RawBuilder<Found>,
): Promise<Counted<Found>[]> {
  const column = (value: (row: LimitRow) => number) => sql`(select ${rows.map(value)}::integer[])`
  const keys = sql`(select ${rows.map((row) => row.key)}::text[])`
  const found = read ? sql`(select to_jsonb(read) from (${read}) as read)` : sql`null`
  const statement = sql<Counted<Found>>`
    with input as (
      select key, points, times, first_pause, max_pause, make_interval(secs => seconds) as duration
      from unnest(
        ${keys},
        ${column((row) => row.points)},
        ${column((row) => row.seconds)},
        ${column((row) => row.pause?.firstSeconds ?? 0)},
        ${column((row) => row.pause?.maxSeconds ?? 0)},
        ${column((row) => row.times)}
      ) as input (key, points, seconds, first_pause, max_pause, times)
    ), held as materialized (
      select key, count, window_ends_at, blocked_until from limits
      where key = any (${keys}::text[]) order by key for update
    ), counted as materialized (
      select key, points, duration, first_pause, max_pause, held.key is null as is_new,
        case when window_ends_at > ${now} then count else 0 end + times as count,
        case when window_ends_at > ${now} then window_ends_at else ${now}::timestamptz + duration end as window_end
      from input left join held using (key)
      where not exists (select from held where blocked_until > ${now})
    ), blocked as (
      select key, case when first_pause > 0
        then ${now}::timestamptz + make_interval(secs => least(max_pause, first_pause * 2 ^ least(count - points, 30)))
        else window_end end as until
      from counted where count >= points
    ), next as materialized (
      select key, is_new, count, until,
        case when first_pause > 0 and until is not null then until + duration else window_end end as window_end
      from counted left join blocked using (key)
    ), updated as (
      update limits set count = next.count, window_ends_at = next.window_end, blocked_until = next.until
      from next where limits.key = next.key and not is_new
    ), created as (
      insert into limits (key, count, window_ends_at, blocked_until)
      select key, count, window_end, until from next where is_new order by key
    )
    select input.key, counted.count, held.blocked_until as "blockedUntil",
      counted.window_end - counted.duration as since, ${found} as found
    from input left join counted using (key) left join held using (key)`
  try {
    return (await executePrepared(db, statement)).rows
  } catch (error) {
    // Another request has created a row since, so nothing of this one was counted: count again.
    if (isUniqueViolation(error)) return countRows(db, rows, now, read)
    throw error
  }
}

const isUniqueViolation = (error: unknown) => (error as { code?: unknown }).code === '23505'

/**
 * One statement, which locks rows in key order. A refund also lifts the block, which the refunded event caused. A forgotten
 * row, of no times, stays, with an ended window, so that the next event finds it. `(select …)` hides the length of the
 * arrays: PostgreSQL plans the statement again for each call otherwise.
 */
export function settlement(settled: readonly { key: string; times: number }[], now: Date): RawBuilder<unknown> {
  const keys = sql`(select ${settled.map(({ key }) => key)}::text[])`
  const times = sql`(select ${settled.map((each) => each.times)}::integer[])`
  return sql`
    update limits set
      count = case when times = 0 then 0 else greatest(0, count - times) end,
      window_ends_at = case when times = 0 then '-infinity' else window_ends_at end,
      blocked_until = null
    from (
      select key as held_key, (${times})[array_position(${keys}, key)] as times from limits
      where key = any (${keys}::text[]) order by key for update
    ) as held
    where key = held_key and (times = 0 or (count > 0 and window_ends_at > ${now}))`
}
