import { type Kysely, sql } from 'kysely'
import type { KeptFor } from '#contract/kept.ts'
import type { Db } from '../database/database.ts'
import type { DB } from '../database/database-types.ts'
import type { Keys } from '../secrets/keys.ts'
import { type AuditEntry, writeAuditEvent } from './audit.ts'
import { signStatement } from './checkpoint.ts'

/** For how many months events are kept. */
export type AuditRetention = Pick<KeptFor, 'auditMonths' | 'auditSignInMonths' | 'auditUnknownSignInMonths'>

interface RemovalOptions {
  db: Kysely<DB>
  keys: Keys
  now: Date
  retention: AuditRetention
}

const batchSize = 5000

/**
 * Removes events that are older than their family is kept. Before the first one is gone, a signed checkpoint says which may
 * be missing, so that the chain can still be verified.
 */
export async function removeOldEvents({ db, keys, now, retention }: RemovalOptions): Promise<void> {
  const limits = await readLimits(db, now, retention)
  await beginRemoval({ db, keys, now }, limits)
  const record = async (trx: Db, removedEvents: number) => {
    if (removedEvents === 0) return
    const entry: AuditEntry = { name: 'removeAuditEvents', after: { removedEvents } }
    await writeAuditEvent(trx, entry, { requestId: 'audit-retention', now })
  }
  await db.transaction().execute(async (trx) => record(trx, await dropMonths(trx)))
  await removeRows(db, record)
}

/** Signs from which moment on events of each family are in the database, and where the chain there begins. */
export async function beginRemoval(
  { db, keys, now }: Omit<RemovalOptions, 'db' | 'retention'> & { db: Db },
  limits: KeptFrom,
): Promise<void> {
  const { rows } = await sql<{ startSeq: number; startHash: string }>`
    with needed as (
      select seq - 1 as seq, previous_hash as hash from audit_chain
      where created_at >= case family when 'signIn' then ${limits.signIn}::timestamptz
        when 'unknownSignIn' then ${limits.unknownSignIn} else ${limits.change} end
      order by audit_chain.seq limit 1)
    select seq as "startSeq", encode(hash, 'hex') as "startHash" from needed
    union all select seq, encode(hash, 'hex') from audit_head where not exists (select from needed)`.execute(db)
  const [start] = rows
  if (!start) throw new Error('the audit chain has no head')
  const signed = await signStatement(keys, { ...start, removedBefore: removedBefore(limits) })
  await sql`select begin_audit_removal(${signed}, ${start.startSeq}, ${limits.change}, ${limits.signIn},
    ${limits.unknownSignIn}, ${now})`.execute(db)
}

/** The moments as a checkpoint has them. */
export const removedBefore = (limits: KeptFrom): Record<string, string> =>
  Object.fromEntries(Object.entries(limits).map(([family, limit]) => [family, String(limit.getTime() * 1000)]))

/** Drops the months of which nothing is needed. In a transaction. @returns how many events they had */
export async function dropMonths(trx: Db): Promise<number> {
  // A reader who takes long must not make everybody else wait behind this: the next run tries again.
  await sql`set local lock_timeout = '2s'`.execute(trx)
  const { rows } = await sql<{ events: number }>`select drop_audit_months() as events`.execute(trx)
  return rows[0]?.events ?? 0
}

/** Deletes what is too old in months that stay, and the rows of the chain before it. What is in a file is recorded already. */
export async function removeRows(
  db: Kysely<DB>,
  record?: (trx: Db, removedEvents: number) => Promise<void>,
): Promise<void> {
  const removeSome = async (trx: Db) => {
    const { rows } = await sql<{ events: number; places: number }>`
      select events, places from remove_audit_events(${batchSize})`.execute(trx)
    const { events = 0, places = 0 } = rows[0] ?? {}
    await record?.(trx, events)
    return events + places
  }
  while ((await db.transaction().execute(removeSome)) > 0);
}

/** By family: the moment from which on its events are kept. */
export interface KeptFrom {
  change: Date
  signIn: Date
  unknownSignIn: Date
}

/** The same day so many months ago, or the last one of that month where it is shorter, as PostgreSQL counts. */
export function monthsAgo(now: Date, months: number): Date {
  const date = new Date(now)
  date.setUTCMonth(date.getUTCMonth() - months)
  if (date.getUTCDate() !== now.getUTCDate()) date.setUTCDate(0)
  return date
}

/** By the settings alone. */
export const keptFrom = (now: Date, retention: AuditRetention): KeptFrom => ({
  change: monthsAgo(now, retention.auditMonths),
  signIn: monthsAgo(now, retention.auditSignInMonths),
  unknownSignIn: monthsAgo(now, retention.auditUnknownSignInMonths),
})

/** A longer time than before brings nothing back, so a limit never moves into the past. */
export async function readLimits(db: Db, now: Date, retention: AuditRetention): Promise<KeptFrom> {
  const last = await db
    .selectFrom('auditCheckpoints')
    .select(['changeBefore', 'signInBefore', 'unknownSignInBefore'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { change, signIn, unknownSignIn } = keptFrom(now, retention)
  const later = (date: Date, before: Date | undefined) => (before && before > date ? before : date)
  return {
    change: later(change, last?.changeBefore),
    signIn: later(signIn, last?.signInBefore),
    unknownSignIn: later(unknownSignIn, last?.unknownSignInBefore),
  }
}
