import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { DB } from '../database/database-types.ts'
import { plainClient } from '../database/plain-client.ts'
import type { Keys } from '../secrets/keys.ts'
import type { AuditHead } from './audit-chain.ts'
import { type AuditVerdict, verifyAuditChain } from './audit-verify.ts'
import { openStatement, signStatement } from './checkpoint.ts'

interface CheckOptions {
  db: Kysely<DB>
  keys: Keys
  now: Date
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}

/** Verifies what the log has got since the last check, and keeps the result for those who ask when that was. A fault is an alarm. */
export async function checkAuditChain({ db, keys, now, log }: CheckOptions): Promise<void> {
  const after = await lastVerified(db, keys)
  const verdict = await db
    .connection()
    .execute((connection) => verifyAuditChain(plainClient(connection), { keys, after }))
  await keepVerdict({ db, keys, now }, verdict, after)
  if (verdict.intact) log.info({ seq: verdict.head.seq }, 'audit chain verified')
  else log.error({ seq: verdict.seq, id: verdict.id, reason: verdict.reason }, 'audit chain is broken')
}

/** Where the next check goes on; undefined after a fault, so that it shows until a check of the whole log finds none. */
async function lastVerified(db: Kysely<DB>, keys: Keys): Promise<AuditHead | undefined> {
  const last = await db
    .selectFrom('auditChecks')
    .select('signed')
    .orderBy('checkedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const opened = last?.signed ? await openStatement(keys, last.signed) : undefined
  if (!opened || !('verifiedSeq' in opened)) return undefined
  const { verifiedSeq, verifiedHash } = opened as unknown as { verifiedSeq: number; verifiedHash: string }
  return { seq: verifiedSeq, hash: verifiedHash }
}

/** Keeps when the chain was verified, and signs up to where, so that nobody but the portal says so. */
export async function keepVerdict(
  { db, keys, now }: Omit<CheckOptions, 'log'>,
  verdict: AuditVerdict,
  after?: AuditHead | undefined,
): Promise<void> {
  const result = verdict.intact
    ? {
        seq: verdict.head.seq,
        fault: null,
        signed: await signStatement(keys, { verifiedSeq: verdict.head.seq, verifiedHash: verdict.head.hash }),
      }
    : { seq: verdict.seq, fault: verdict.reason, signed: null }
  await db
    .insertInto('auditChecks')
    .values({ checkedAt: now, afterSeq: after?.seq ?? 0, ...result })
    .onConflict((row) => row.doNothing())
    .execute()
}
