import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { executePrepared } from '../database/prepared-statements.ts'
import { Problem } from '../problem.ts'
import { applyLimitSettings, type LimitName, type LimitRule } from './limit-rules.ts'

/** Which limit to count, and for which key. Keys are hashed before they are stored. */
export interface LimitKey {
  name: LimitName
  key: string
  /** How many events at once; 1 by default. All of them count if the limit was not reached before. */
  times?: number
}

/** Rate limits, stored in the database: all processes share them, and they survive a restart. */
export interface Limits {
  /**
   * Counts one event against all of these limits, or against none when one of them is exhausted. Call it before the work
   * that it limits, and outside a transaction: an attempt that is rolled back still counts.
   *
   * @returns the limits that this event exhausted
   * @throws Problem 429 `tooManyRequests` with the seconds to wait
   */
  take(db: Db, keys: readonly LimitKey[], now: Date): Promise<LimitName[]>
  /** Resets limits, as after a success; may run in the transaction of that success. */
  forget(db: Db, keys: readonly LimitKey[]): Promise<void>
  /** Refunds one event, such as an attempt that did not fail. */
  refund(db: Db, keys: readonly LimitKey[], now: Date): Promise<void>
  /** Resets some keys and refunds others, in one statement. */
  settle(db: Db, keys: { forget: readonly LimitKey[]; refund: readonly LimitKey[] }, now: Date): Promise<void>
}

/**
 * Creates the limits, with the numbers from the settings.
 *
 * @param onRefused is told which limits refused an event
 */
export function createLimits(
  settings: ReadonlyMap<string, { points: number; seconds: number }> = new Map(),
  onRefused: (name: LimitName) => void = () => {},
): Limits {
  const rules = applyLimitSettings(settings)
  const keysOf = (keys: readonly LimitKey[]) => rowsFor(rules, keys).map((row) => row.key)
  return {
    take: (db, keys, now) => take(db, rowsFor(rules, keys), { now, onRefused }),
    forget: async (db, keys) => {
      await sql`
        with held as (select key from limits where key = any ((select ${keysOf(keys)}::text[])::text[]) order by key for update)
        delete from limits using held where limits.key = held.key`.execute(db)
    },
    refund: (db, keys, now) => settle(db, { forgotten: [], refunded: keysOf(keys) }, now),
    settle: (db, { forget, refund }, now) => settle(db, { forgotten: keysOf(forget), refunded: keysOf(refund) }, now),
  }
}

/**
 * One statement, which locks rows in key order. A refund also lifts the block, which the refunded event caused. `(select …)`
 * hides the length of the arrays: PostgreSQL 15 plans the statement again for each call otherwise.
 */
async function settle(
  db: Db,
  { forgotten, refunded }: { forgotten: readonly string[]; refunded: readonly string[] },
  now: Date,
): Promise<void> {
  await executePrepared(
    db,
    sql`
      with held as (
        select key from limits where key = any ((select ${[...forgotten, ...refunded]}::text[])::text[]) order by key for update
      ), forgotten as (
        delete from limits using held where limits.key = held.key and limits.key = any ((select ${forgotten}::text[])::text[])
      )
      update limits set count = count - 1, blocked_until = null
      from held where limits.key = held.key and limits.key = any ((select ${refunded}::text[])::text[])
        and count > 0 and window_ends_at > ${now}`,
  )
}

interface Row extends LimitRule {
  name: LimitName
  times: number
  /** The name and a hash of the key: addresses and ids are not stored. */
  key: string
}

/** The primary key of a row in the table `limits`. */
export const limitRowKey = (name: string, key: string): string =>
  `${name}:${hash('sha256', `${name} ${key}`, 'base64url').slice(0, 22)}`

/** Sorted, so that two requests that count the same rows do not deadlock. */
function rowsFor(rules: Readonly<Record<string, LimitRule>>, keys: readonly LimitKey[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { name: first, key, times = 1 } of keys)
    for (let name: string | undefined = first; name; name = rules[name]?.also) {
      const rule = rules[name]
      if (!rule) throw new Error(`there is no limit ${name}`)
      rows.set(limitRowKey(name, key), { ...rule, name: name as LimitName, key: limitRowKey(name, key), times })
    }
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

interface Counted {
  key: string
  count: number | null
  /** The end of the block, where the row was blocked. */
  refusedUntil: Date | null
}

interface Taking {
  now: Date
  onRefused: (name: LimitName) => void
}

async function take(db: Db, rows: Row[], taking: Taking): Promise<LimitName[]> {
  const { now, onRefused } = taking
  if (db.isTransaction) throw new Error('count limits outside transactions: a rollback would undo the attempt')
  if (rows.length === 0) return []
  const counted = await count(db, rows, now)
  const refused = counted.filter((row) => row.count === null)
  if (refused.length > 0) {
    const until = Math.max(...refused.map(({ refusedUntil }) => refusedUntil?.getTime() ?? 0))
    if (refused.length === counted.length && until > now.getTime()) {
      const blocked = new Set(
        refused.filter(({ refusedUntil }) => refusedUntil && refusedUntil > now).map(({ key }) => key),
      )
      for (const { name, key } of rows) if (blocked.has(key)) onRefused(name)
      throw new Problem(429, 'tooManyRequests', { retryAfter: Math.ceil((until - now.getTime()) / 1000) })
    }
    // Another request created or blocked a row after our read. Refund what was counted and retry: now the row is visible.
    const countedKeys = counted.filter((row) => row.count !== null).map((row) => row.key)
    if (countedKeys.length > 0) await settle(db, { forgotten: [], refunded: countedKeys }, now)
    return take(db, rows, taking)
  }
  const counts = new Map(counted.map((row) => [row.key, row.count]))
  return rows.filter((row) => counts.get(row.key) === row.points).map((row) => row.name)
}

/**
 * One statement. `held` locks the existing rows; if one is blocked, nothing is counted. Otherwise each count goes up by
 * one, in a new window if the old one has ended. A row is blocked when its points are used up: until the window ends, or
 * for the doubling pause. A window lasts one window longer than its pauses, so that waiting out a pause does not reset it.
 */
async function count(db: Db, rows: Row[], now: Date): Promise<Counted[]> {
  const column = (value: (row: Row) => number) => sql`${rows.map(value)}::integer[]`
  const statement = sql<Counted>`
    with input as (
      select * from unnest(
        ${rows.map((row) => row.key)}::text[],
        ${column((row) => row.points)},
        ${column((row) => row.seconds)},
        ${column((row) => row.pause?.firstSeconds ?? 0)},
        ${column((row) => row.pause?.maxSeconds ?? 0)},
        ${column((row) => row.times)}
      ) as input (key, points, seconds, first_pause, max_pause, times)
    ), held as (
      select key, blocked_until, count, window_ends_at from limits
      where key = any ((select ${rows.map((row) => row.key)}::text[])::text[]) order by key for update
    ), next as (
      select input.key, points, seconds, first_pause, times, ${now}::timestamptz + make_interval(secs => seconds) as fresh_end
      from input where not exists (select from held where blocked_until > ${now})
      order by key
    ), counted as (
      insert into limits as present (key, count, window_ends_at, blocked_until)
      select next.key, times,
        case when points <= times then greatest(fresh_end, fresh_end + make_interval(secs => first_pause)) else fresh_end end,
        case when points <= times then
          case when first_pause > 0 then ${now}::timestamptz + make_interval(secs => first_pause) else fresh_end end
        end
      from next
      on conflict (key) do update set (count, window_ends_at, blocked_until) = (
        select
          step.count,
          case when step.count >= points and first_pause > 0
            then step.blocked_until + make_interval(secs => seconds) else step.window_end end,
          case when step.count >= points then step.blocked_until end
        from (
          select points, seconds, first_pause, place.count, place.window_end,
            case when first_pause > 0
              then ${now}::timestamptz
                + make_interval(secs => least(max_pause, first_pause * 2 ^ least(place.count - points, 30)))
              else place.window_end end as blocked_until
          from input, lateral (
            select
              case when present.window_ends_at <= ${now} then times else present.count + times end as count,
              case when present.window_ends_at <= ${now}
                then ${now}::timestamptz + make_interval(secs => seconds) else present.window_ends_at end as window_end
          ) as place
          where input.key = present.key
        ) as step
      )
      where present.blocked_until is null or present.blocked_until <= ${now}
      returning key, count
    )
    select input.key, counted.count, held.blocked_until as "refusedUntil"
    from input left join counted using (key) left join held using (key)`
  return (await executePrepared(db, statement)).rows
}
