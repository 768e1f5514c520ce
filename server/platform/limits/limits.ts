import { hash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { Db } from '../database/database.ts'
import { executePrepared } from '../database/prepared-statements.ts'
import { type LimitName, type LimitRules, limitRules } from '../limit-rules.ts'
import { Problem } from '../problem.ts'
import { countRows, type LimitRow, settlement } from './limit-rows.ts'

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

/** The primary key of a row in the table `limits`. */
export const limitRowKey = (name: string, key: string): string =>
  `${name}:${hash('sha256', `${name} ${key}`, 'base64url').slice(0, 22)}`

/** Sorted, so that two requests that count the same rows do not deadlock. */
function rowsFor(rules: LimitRules, keys: readonly LimitKey[]): LimitRow[] {
  const rows = new Map<string, LimitRow>()
  for (const { name: first, key, times = 1 } of keys)
    for (let name: LimitName | undefined = first; name; name = rules[name].also)
      rows.set(limitRowKey(name, key), { ...rules[name], name, key: limitRowKey(name, key), times })
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

interface Taking<Found> {
  now: Date
  onRefused: (name: LimitName) => void
  read?: RawBuilder<Found>
}

async function take<Found = never>(
  db: Db,
  rows: LimitRow[],
  { now, onRefused, read }: Taking<Found>,
): Promise<Taken & { found: Found | undefined }> {
  if (db.isTransaction) throw new Error('count limits outside transactions: a rollback would undo the attempt')
  if (rows.length === 0) return { usedUp: [], counts: new Map(), found: undefined }
  const counted = await countRows(db, rows, now, read)
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
