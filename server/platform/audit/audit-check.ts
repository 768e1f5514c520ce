import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { DB } from '../database/database-types.ts'
import { plainClient } from '../database/plain-client.ts'
import type { Keys } from '../secrets/keys.ts'
import { type AuditVerdict, verifyAuditChain } from './audit-verify.ts'

interface CheckOptions {
  db: Kysely<DB>
  keys: Keys
  now: Date
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
}

/** Verifies the whole chain, and keeps the result for those who ask when that was. A fault is an alarm. */
export async function checkAuditChain({ db, keys, now, log }: CheckOptions): Promise<void> {
  const verdict = await db.connection().execute((connection) => verifyAuditChain(plainClient(connection), { keys }))
  await keepVerdict(db, verdict, now)
  if (verdict.intact) log.info({ seq: verdict.head.seq }, 'audit chain verified')
  else log.error({ seq: verdict.seq, id: verdict.id, reason: verdict.reason }, 'audit chain is broken')
}

/** Keeps when the chain was verified. */
export async function keepVerdict(db: Kysely<DB>, verdict: AuditVerdict, now: Date): Promise<void> {
  const result = verdict.intact ? { seq: verdict.head.seq, fault: null } : { seq: verdict.seq, fault: verdict.reason }
  await db
    .insertInto('auditChecks')
    .values({ checkedAt: now, ...result })
    .onConflict((row) => row.doNothing())
    .execute()
}
