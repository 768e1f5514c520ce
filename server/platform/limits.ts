import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { committedSoon } from './committed-soon.ts'
import type { Db } from './database.ts'
import { type LimitName, type LimitRule, limitRulesWith } from './limit-rules.ts'
import { takenBack } from './limits-taken-back.ts'
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
  /**
   * The same, and in the same statement one JSON value, which is asked for only where nothing was refused.
   *
   * @param wanted an expression of the type jsonb
   */
  takeAndRead<Read>(db: Db, keys: readonly LimitKey[], now: Date, wanted: RawBuilder<Read>): Promise<Taken<Read>>
  /** Forgets what was counted, as after a success; it may be a part of what made it one. */
  forget(db: Db, keys: readonly LimitKey[]): Promise<void>
  /** Takes one event back that turned out not to be one, such as an attempt that was no failure. */
  refund(db: Db, keys: readonly LimitKey[], now: Date): Promise<void>
  /** Both at once, in one statement. */
  settle(db: Db, keys: Settling, now: Date): Promise<void>
  /** The same as expressions of a statement that writes more; the one called `settled` counts what was refunded. */
  settling(keys: Settling, now: Date): RawBuilder<unknown>
}

/** What to forget and what to take back after an attempt that was none to count. */
export interface Settling {
  forget: readonly LimitKey[]
  refund: readonly LimitKey[]
}

/** The limits that an event used up, and what was read with it. */
export interface Taken<Read> {
  usedUp: LimitName[]
  read: Read
}

/** Makes the limits, with the numbers of the settings. */
export function createLimits(settings: ReadonlyMap<string, { points: number; seconds: number }> = new Map()): Limits {
  const rules = limitRulesWith(settings)
  const keysOf = (keys: readonly LimitKey[]) => rowsFor(rules, keys).map((row) => row.key)
  return {
    take: async (db, keys, now) => (await take(db, rowsFor(rules, keys), now, sql`null::jsonb`)).usedUp,
    takeAndRead: (db, keys, now, wanted) => take(db, rowsFor(rules, keys), now, wanted),
    forget: async (db, keys) => {
      await sql`
        with held as (select key from limits where key = any (${keysOf(keys)}::text[]) order by key for update)
        delete from limits using held where limits.key = held.key`.execute(db)
    },
    async refund(db, keys, now) {
      await prepared(db, sql`with ${takenBack([], keysOf(keys), now)} select from settled`)
    },
    async settle(db, { forget, refund }, now) {
      const alone = takenBack(keysOf(forget), keysOf(refund), now)
      await prepared(db, sql`with ${alone} select from settled, ${committedSoon(db)}`)
    },
    settling: ({ forget, refund }, now) => takenBack(keysOf(forget), keysOf(refund), now),
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
  `${name}:${hash('sha256', `${name} ${key}`, 'base64url').slice(0, 22)}`

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
  /** Of the first row alone. */
  read: unknown
}

async function take<Read>(db: Db, rows: Row[], now: Date, wanted: RawBuilder<Read>): Promise<Taken<Read>> {
  if (db.isTransaction) throw new Error('limits are counted outside transactions: a rollback would forget the attempt')
  if (rows.length === 0) return { usedUp: [], read: undefined as Read }
  const counted = await count(db, rows, now, wanted)
  const refused = counted.filter((row) => row.count === null)
  if (refused.length > 0) {
    const until = Math.max(...refused.map(({ refusedUntil }) => refusedUntil?.getTime() ?? 0))
    if (refused.length === counted.length && until > now.getTime())
      throw new Problem(429, 'tooManyRequests', { retryAfter: Math.ceil((until - now.getTime()) / 1000) })
    // Another request made or blocked a row after this one had looked for it. Now it is there to be seen.
    const charged = counted.filter((row) => row.count !== null).map((row) => row.key)
    if (charged.length > 0) await prepared(db, sql`with ${takenBack([], charged, now)} select from settled`)
    return take(db, rows, now, wanted)
  }
  const counts = new Map(counted.map((row) => [row.key, row.count]))
  return {
    usedUp: rows.filter((row) => counts.get(row.key) === row.points).map((row) => row.name),
    read: counted.find((row) => row.read !== null)?.read as Read,
  }
}

/**
 * One statement. `held` locks the rows that are there and sees whether one is blocked; then nothing is counted.
 * Otherwise each row counts one more, starts a new window where the old one is over, and is blocked when its points are
 * used up: until the window ends, or for the pause that doubles. A window lasts as long as its pauses and one window
 * more, so that waiting a pause out does not start from the beginning.
 */
async function count(db: Db, rows: Row[], now: Date, wanted: RawBuilder<unknown>): Promise<Counted[]> {
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
    select input.key, counted.count, held.blocked_until as "refusedUntil",
      case when counted.count is not null and row_number() over () = 1 then ${wanted} end as read
    from input left join counted using (key) left join held using (key)`
  return (await prepared(db, statement)).rows
}
