import { type Kysely, sql } from 'kysely'
import type { KeptFor } from '#contract/kept.ts'
import type { DB } from '../database/database-types.ts'
import type { Keys } from '../secrets/keys.ts'
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
  const removedBefore = Object.fromEntries(
    Object.entries(limits).map(([family, limit]) => [family, String(limit.getTime() * 1000)]),
  )
  const signed = await signStatement(keys, { ...start, removedBefore })
  await sql`select begin_audit_removal(${signed}, ${start.startSeq}, ${limits.change}, ${limits.signIn},
    ${limits.unknownSignIn}, ${now})`.execute(db)
  await db.transaction().execute(async (trx) => {
    // A reader who takes long must not make everybody else wait behind this: the next run tries again.
    await sql`set local lock_timeout = '2s'`.execute(trx)
    await sql`select drop_audit_months()`.execute(trx)
  })
  for (;;) {
    const { rows } = await sql<{ count: number }>`select remove_audit_events(${batchSize}) as count`.execute(db)
    if ((rows[0]?.count ?? 0) === 0) return
  }
}

/** A longer time than before brings nothing back, so a limit never moves into the past. */
async function readLimits(db: Kysely<DB>, now: Date, retention: AuditRetention) {
  const last = await db
    .selectFrom('auditCheckpoints')
    .select(['changeBefore', 'signInBefore', 'unknownSignInBefore'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const limit = (months: number, before: Date | undefined) => {
    const date = new Date(now)
    date.setUTCMonth(date.getUTCMonth() - months)
    return before && before > date ? before : date
  }
  return {
    change: limit(retention.auditMonths, last?.changeBefore),
    signIn: limit(retention.auditSignInMonths, last?.signInBefore),
    unknownSignIn: limit(retention.auditUnknownSignInMonths, last?.unknownSignInBefore),
  }
}
