import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/database-types.ts'
import type { AuditRetention } from './retention.ts'

/** Deletes the names that people had when events happened that are no longer kept. */
export async function forgetNames(db: Kysely<DB>, now: Date, kept: AuditRetention): Promise<void> {
  const oldest = new Date(now)
  oldest.setUTCMonth(
    oldest.getUTCMonth() - Math.max(kept.auditMonths, kept.auditSignInMonths, kept.auditUnknownSignInMonths),
  )
  await sql`
    delete from former_names f
    where f.until < ${oldest}
      or (not exists (select from users u where u.account_id = f.account_id)
        and not exists (select from audit_events where actor_id = f.account_id)
        and not exists (select from audit_events where target_id = f.account_id::text)
        and not exists (
          select from audit_events where left(actor_search, 300) = folded(f.email))
        and not exists (
          select from audit_events where left(target_search, 300) = folded(f.email)))`.execute(db)
}
