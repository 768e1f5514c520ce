import { type Kysely, sql } from 'kysely'
import type { DB } from './database-types.ts'
import { limitRules } from './limit-rules.ts'
import { limitRowKey } from './limits.ts'
import { prepared } from './prepared-statements.ts'

/** What a session does: how many calls a minute, and when its account was last active. */
export interface Usage {
  /**
   * Counts one call of a session. Costs no query: the counts are merged into the database once a second.
   *
   * @returns 0, or the seconds to wait where the session has used its minute up
   */
  count(sessionKey: string, accountId: string, now: Date): number
  /** Merges what was counted since the last time. Also happens by itself. */
  flush(): Promise<void>
  /** Merges the rest and stops. */
  close(): Promise<void>
}

interface UsageOptions {
  db: Kysely<DB>
  /** The setting of the limit `api`, where it has one. */
  limit?: { points: number; seconds: number } | undefined
  /** What to do when merging fails; what was counted is merged the next time. */
  onError?: (error: unknown) => void
}

interface Counter {
  sessionKey: string
  key: string
  windowEndsAt: number
  /** Calls of this window that every process together had made at the last merge. */
  merged: number
  /** Calls of this process since then. */
  fresh: number
}

const mergeEvery = 1000
const activeEvery = 60_000

/** Makes the counter of a process. */
export function createUsage({ db, limit = limitRules.api, onError = () => {} }: UsageOptions): Usage {
  const counters = new Map<string, Counter>()
  const changed = new Set<Counter>()
  const active = new Map<string, number>()
  const activeWritten = new Map<string, number>()
  const windowLength = limit.seconds * 1000
  let timer: NodeJS.Timeout | undefined
  let merging = Promise.resolve()

  function counterOf(sessionKey: string, at: number): Counter {
    // The same windows in every process: they begin at whole multiples of their length.
    const windowEndsAt = (Math.floor(at / windowLength) + 1) * windowLength
    const present = counters.get(sessionKey)
    if (present && present.windowEndsAt >= windowEndsAt) return present
    const counter = { sessionKey, key: limitRowKey('api', sessionKey), windowEndsAt, merged: 0, fresh: 0 }
    counters.set(sessionKey, counter)
    return counter
  }

  function count(sessionKey: string, accountId: string, now: Date): number {
    const at = now.getTime()
    const counter = counterOf(sessionKey, at)
    if (counter.merged + counter.fresh >= limit.points)
      return Math.max(1, Math.ceil((counter.windowEndsAt - at) / 1000))
    counter.fresh++
    changed.add(counter)
    if (at - (activeWritten.get(accountId) ?? 0) >= activeEvery) {
      active.set(accountId, at)
      activeWritten.set(accountId, at)
    }
    timer ??= setTimeout(() => flush().catch(onError), mergeEvery).unref()
    return 0
  }

  // One at a time: a merge that is slow must not be overtaken by the next.
  const flush = () => {
    const done = merging.then(mergeChanged)
    merging = done.catch(() => {})
    return done
  }

  async function mergeChanged(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (changed.size === 0 && active.size === 0) return
    const batch = [...changed]
      // A window that is over limits nobody any more, and its row is the next one's.
      .filter((counter) => counters.get(counter.sessionKey) === counter)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((counter) => ({ counter, calls: counter.fresh }))
    const seen = [...active]
    changed.clear()
    active.clear()
    for (const { counter, calls } of batch) counter.fresh -= calls
    // While the statement runs these calls count as merged already.
    for (const { counter, calls } of batch) counter.merged += calls
    try {
      const totals = await merge(db, batch, seen)
      for (const { counter } of batch) counter.merged = Math.max(counter.merged, totals.get(counter.key) ?? 0)
      forgetOld()
    } catch (error) {
      for (const { counter, calls } of batch) {
        counter.merged -= calls
        counter.fresh += calls
        changed.add(counter)
      }
      for (const [accountId, at] of seen) active.set(accountId, Math.max(at, active.get(accountId) ?? 0))
      throw error
    }
  }

  /** Sessions that made no call for a window cost no memory. */
  function forgetOld(): void {
    let newest = 0
    for (const { windowEndsAt } of counters.values()) newest = Math.max(newest, windowEndsAt)
    for (const [sessionKey, { windowEndsAt }] of counters) if (windowEndsAt < newest) counters.delete(sessionKey)
    for (const [accountId, at] of activeWritten)
      if (newest - at > 2 * activeEvery + windowLength) activeWritten.delete(accountId)
  }

  const close = async () => {
    clearTimeout(timer)
    await flush().catch(onError)
    clearTimeout(timer)
  }
  return { count, flush, close }
}

/** One statement for everybody: adds the calls, answers with the totals of all processes, and says who was active. */
async function merge(
  db: Kysely<DB>,
  batch: { counter: Counter; calls: number }[],
  active: [accountId: string, at: number][],
): Promise<Map<string, number>> {
  const statement = sql<{ key: string; count: number }>`
    with calls as (
      select * from unnest(
        ${batch.map(({ counter }) => counter.key)}::text[],
        ${batch.map(({ calls }) => calls)}::integer[],
        ${batch.map(({ counter }) => new Date(counter.windowEndsAt).toISOString())}::timestamptz[]
      ) as calls (key, count, window_ends_at)
    ), seen as (
      select * from unnest(
        ${active.map(([accountId]) => accountId)}::uuid[],
        ${active.map(([, at]) => new Date(at).toISOString())}::timestamptz[]
      ) as seen (account_id, at)
    ), free as (
      -- A row that somebody works on is left for the next minute: this statement waits for nobody.
      select account_id from users where account_id in (select account_id from seen) for no key update skip locked
    ), stamped as (
      update users set last_active = greatest(last_active, seen.at) from seen join free using (account_id)
      where users.account_id = seen.account_id
    )
    insert into limits as present (key, count, window_ends_at) select key, count, window_ends_at from calls
    on conflict (key) do update set
      count = case
        when present.window_ends_at = excluded.window_ends_at then present.count + excluded.count
        when present.window_ends_at < excluded.window_ends_at then excluded.count
        else present.count end,
      window_ends_at = greatest(present.window_ends_at, excluded.window_ends_at)
    returning key, count`
  const { rows } = await prepared(db, statement)
  return new Map(rows.map(({ key, count }) => [key, count]))
}
