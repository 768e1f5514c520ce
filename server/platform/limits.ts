import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { committedSoon } from './committed-soon.ts'
import type { Db } from './database.ts'
import { type LimitName, type LimitRule, limitRulesWith } from './limit-rules.ts'
import { prepared } from './prepared-statements.ts'
import { Problem } from './problem.ts'

/** One thing to count: which limit, and whose. Keys are hashed before they are stored. */
export interface LimitKey {
  name: LimitName
  key: string
  /** How many events at once; 1 unless it says otherwise. The last of several that still begin below the limit all count. */
  times?: number
}

/** Counting, in the database: several processes share it and a restart forgets nothing. */
export interface Limits {
  /**
   * Counts one event against all of these limits, or against none when one of them is used up. Call it before the work
   * that it limits, and outside a transaction: what failed and was rolled back still counts. What is counted is on the
   * disk no later than the next change or event, such as that of the attempt.
   *
   * @returns the limits that this event used up
   * @throws Problem 429 `tooManyRequests` with the seconds to wait
   */
  take(db: Db, keys: readonly LimitKey[], now: Date): Promise<LimitName[]>
  /** Forgets what was counted, as after a success. */
  forget(db: Db, keys: readonly LimitKey[]): Promise<void>
  /** Takes one event back that turned out not to be one, such as an attempt that was no failure. */
  refund(db: Db, keys: readonly LimitKey[], now: Date): Promise<void>
  /** Both at once, in one statement. */
  settle(db: Db, keys: { forget: readonly LimitKey[]; refund: readonly LimitKey[] }, now: Date): Promise<void>
}

/** Makes the limits, with the numbers of the settings. */
export function createLimits(settings: ReadonlyMap<string, { points: number; seconds: number }> = new Map()): Limits {
  const rules = limitRulesWith(settings)
  return {
    take: (db, keys, now) => take(db, rowsFor(rules, keys), now),
    forget: async (db, keys) => {
      const names = rowsFor(rules, keys).map((row) => row.key)
      await db.deleteFrom('limits').where('key', 'in', names).execute()
    },
    refund: (db, keys, now) => refund(db, rowsFor(rules, keys), now),
    settle: (db, keys, now) => settle(db, rowsFor(rules, keys.forget), rowsFor(rules, keys.refund), now),
  }
}

interface Row extends LimitRule {
  name: LimitName
  times: number
  /** The name and a hash of whose it is: addresses and ids do not stand in the table. */
  key: string
}

/** The key of a row of the table. */
export const limitRowKey = (name: string, key: string): string =>
  `${name}:${createHash('sha256').update(`${name} ${key}`).digest('base64url').slice(0, 22)}`

/** Always in the same order, so that two requests that count the same rows wait for each other and do not deadlock. */
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
  /** When it was found blocked: until then. */
  refusedUntil: Date | null
}

async function take(db: Db, rows: Row[], now: Date): Promise<LimitName[]> {
  if (db.isTransaction) throw new Error('limits are counted outside transactions: a rollback would forget the attempt')
  if (rows.length === 0) return []
  const counted = await count(db, rows, now)
  const refused = counted.filter((row) => row.count === null)
  if (refused.length > 0) {
    // A row that another request blocked at this very moment does not tell until when: the next try will.
    const until = Math.max(...refused.map(({ refusedUntil }) => refusedUntil?.getTime() ?? now.getTime() + 1000))
    throw new Problem(429, 'tooManyRequests', { retryAfter: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) })
  }
  const counts = new Map(counted.map((row) => [row.key, row.count]))
  return rows.filter((row) => counts.get(row.key) === row.points).map((row) => row.name)
}

/**
 * One statement. `held` locks the rows that are there and sees whether one is blocked; then nothing is counted.
 * Otherwise each row counts one more, starts a new window where the old one is over, and is blocked when its points are
 * used up: until the window ends, or for the pause that doubles. A window lasts as long as its pauses and one window
 * more, so that waiting a pause out does not start from the beginning.
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
      ) as input (key, points, seconds, first_pause, max_pause, times), ${committedSoon(db)}
    ), held as (
      select key, blocked_until, count, window_ends_at from limits
      where key = any (${rows.map((row) => row.key)}::text[]) order by key for update
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
  return (await prepared(db, statement)).rows
}

/** Whoever was counted found no block, so a block that stands now came with the event that is taken back. */
async function refund(db: Db, rows: Row[], now: Date): Promise<void> {
  const keys = rows.map((row) => row.key)
  const statement = sql`
    with held as (select key from limits where key = any (${keys}::text[]) order by key for update)
    update limits set count = count - 1, blocked_until = null
    from held where limits.key = held.key and count > 0 and window_ends_at > ${now}`
  await prepared(db, statement)
}

async function settle(db: Db, forgotten: Row[], refunded: Row[], now: Date): Promise<void> {
  const keysOf = (rows: Row[]) => rows.map((row) => row.key)
  const statement = sql`
    with held as (
      select key from limits where key = any (${keysOf([...forgotten, ...refunded])}::text[]) order by key for update
    ), forgotten as (
      delete from limits using held where limits.key = held.key and limits.key = any (${keysOf(forgotten)}::text[])
    )
    update limits set count = count - 1, blocked_until = null
    from held, ${committedSoon(db)} where limits.key = held.key and limits.key = any (${keysOf(refunded)}::text[])
      and count > 0 and window_ends_at > ${now}`
  await prepared(db, statement)
}
