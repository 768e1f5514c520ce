import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/database-types.ts'
import type { AuditRetention } from './retention.ts'

/** Deletes what the audit log knows of events that are no longer kept: labels, and the names that people had then. */
export async function forgetLabels(db: Kysely<DB>, now: Date, kept: AuditRetention): Promise<void> {
  const oldest = new Date(now)
  oldest.setUTCMonth(
    oldest.getUTCMonth() - Math.max(kept.auditMonths, kept.auditSignInMonths, kept.auditUnknownSignInMonths),
  )
  await sql`select forget_audit_parties()`.execute(db)
  await sql`
    delete from former_names f
    where f.until < ${oldest}
      or (not exists (select from users u where u.account_id = f.account_id)
        and not exists (select from audit_parties where thing_id = f.account_id::text)
        and not exists (select from audit_parties where label = left(f.email, 300)))`.execute(db)
}
