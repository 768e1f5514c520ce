import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { executePrepared } from '../database/prepared-statements.ts'
import { type LimitName, type LimitRule, type LimitRules, limitRules } from '../limit-rules.ts'
import { Problem } from '../problem.ts'

/** Which limit to count, and for which key. Keys are hashed before they are stored. */
export interface LimitKey {
  name: LimitName
  key: string
  /** How many events at once; 1 by default. All of them count if the limit was not reached before. */
  times?: number
}

/** What an event was counted as. */
export interface Taken {
  /** The limits that it exhausted. */
  usedUp: LimitName[]
  /** Of each limit that has no pause: its events in this window, with this one, and when the window began. */
  counts: ReadonlyMap<LimitName, { count: number; since: Date }>
}

/** A counted attempt that did not fail: which limits start again, and which get its point back. */
export interface Succeeded {
  forget: readonly LimitKey[]
  refund: readonly LimitKey[]
}

/** Rate limits, stored in the database: all processes share them, and they survive a restart. */
export interface Limits {
  /**
   * Counts one event against all of these limits, or against none when one of them is exhausted. Call it before the work
   * that it limits, and outside a transaction: an attempt that is rolled back still counts.
   *
   * @throws Problem 429 `tooManyRequests` with the seconds to wait
   */
  take(db: Db, keys: readonly LimitKey[], now: Date): Promise<Taken>
  /**
   * The same in one statement with the look-up that the work begins with, which saves a round trip.
   *
   * @param read selects at most one row, of what JSON can hold
   */
  takeWith<Found>(
    db: Db,
    keys: readonly [LimitKey, ...LimitKey[]],
    now: Date,
    read: RawBuilder<Found>,
  ): Promise<Taken & { found: Found | undefined }>
  /** Resets limits, as after a success; may run in the transaction of that success. */
  forget(db: Db, keys: readonly LimitKey[]): Promise<void>
  /** Refunds one event of each limit, or as many as its `times` says, such as an attempt that did not fail. */
  refund(db: Db, keys: readonly LimitKey[], now: Date): Promise<void>
  /** Resets some keys and refunds others, in one statement. */
  settle(db: Db, attempt: Succeeded, now: Date): Promise<void>
  /** The same as an `update` for the `with` of the statement that writes what succeeded. */
  settlement(attempt: Succeeded, now: Date): RawBuilder<unknown>
}

/**
 * Creates the limits.
 *
 * @param rules with the numbers of the settings
 * @param onRefused is told which limits refused an event
 */
export function createLimits(rules: LimitRules = limitRules, onRefused: (name: LimitName) => void = () => {}): Limits {
  const settlementOf = ({ forget, refund }: Succeeded, now: Date) =>
    settlement([...rowsFor(rules, forget).map(({ key }) => ({ key, times: 0 })), ...rowsFor(rules, refund)], now)
  const settle = async (db: Db, attempt: Succeeded, now: Date) =>
    void (await executePrepared(db, settlementOf(attempt, now)))
  return {
    take: (db, keys, now) => take(db, rowsFor(rules, keys), { now, onRefused }),
    takeWith: (db, keys, now, read) => take(db, rowsFor(rules, keys), { now, onRefused, read }),
    forget: (db, forget) => settle(db, { forget, refund: [] }, new Date(0)),
    refund: (db, refund, now) => settle(db, { forget: [], refund }, now),
    settle,
    settlement: settlementOf,
  }
}

/**
 * One statement, which locks rows in key order. A refund also lifts the block, which the refunded event caused. A forgotten
 * row, of no times, stays, with an ended window, so that the next event finds it. `(select …)` hides the length of the
 * arrays: PostgreSQL plans the statement again for each call otherwise.
 */
function settlement(settled: readonly { key: string; times: number }[], now: Date): RawBuilder<unknown> {
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
function rowsFor(rules: LimitRules, keys: readonly LimitKey[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { name: first, key, times = 1 } of keys)
    for (let name: LimitName | undefined = first; name; name = rules[name].also)
      rows.set(limitRowKey(name, key), { ...rules[name], name, key: limitRowKey(name, key), times })
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

interface Counted<Found> {
  key: string
  /** The count with this event; `null` when nothing was counted. */
  count: number | null
  /** The end of the last block before this event, which may have passed. */
  blockedUntil: Date | null
  /** When the window began; `null` when nothing was counted. Later in a limit that has been paused. */
  since: Date | null
  found: Found | null
}

interface Taking<Found> {
  now: Date
  onRefused: (name: LimitName) => void
  read?: RawBuilder<Found>
}

async function take<Found = never>(
  db: Db,
  rows: Row[],
  { now, onRefused, read }: Taking<Found>,
): Promise<Taken & { found: Found | undefined }> {
  if (db.isTransaction) throw new Error('count limits outside transactions: a rollback would undo the attempt')
  if (rows.length === 0) return { usedUp: [], counts: new Map(), found: undefined }
  const counted = await count(db, rows, now, read)
  const blocks = new Map(counted.map(({ key, blockedUntil }) => [key, blockedUntil?.getTime() ?? 0]))
  const until = Math.max(...blocks.values())
  if (until > now.getTime()) {
    for (const { name, key } of rows) if ((blocks.get(key) ?? 0) > now.getTime()) onRefused(name)
    throw new Problem(429, 'tooManyRequests', { retryAfter: Math.ceil((until - now.getTime()) / 1000) })
  }
  const found = counted[0]?.found ?? undefined
  const taken = { usedUp: [] as LimitName[], counts: new Map<LimitName, { count: number; since: Date }>(), found }
  for (const { name, key, pause, points } of rows) {
    const { count, since } = counted.find((row) => row.key === key) ?? {}
    if (count === points) taken.usedUp.push(name)
    if (count && since && !(pause && count > points)) taken.counts.set(name, { count, since })
  }
  return taken
}

/**
 * One statement. `held` locks the existing rows. If one is blocked, nothing is counted. Otherwise each count goes up, in a
 * new window if the old one has ended or there was no row. A row is blocked when its points are used up: until the window
 * ends, or for the doubling pause. A window lasts one window longer than its pauses, so that waiting out a pause does not
 * reset it. `(select …)` hides the length of the arrays, as in `settlement`.
 */
async function count<Found>(db: Db, rows: Row[], now: Date, read?: RawBuilder<Found>): Promise<Counted<Found>[]> {
  const column = (value: (row: Row) => number) => sql`(select ${rows.map(value)}::integer[])`
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
    if (isUniqueViolation(error)) return count(db, rows, now, read)
    throw error
  }
}

const isUniqueViolation = (error: unknown) => (error as { code?: unknown }).code === '23505'
