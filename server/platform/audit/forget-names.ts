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
          select from audit_events where coalesce(left(actor, 300), '') collate "C" = left(f.email, 300) collate "C")
        and not exists (
          select from audit_events where coalesce(left(target, 300), '') collate "C" = left(f.email, 300) collate "C"))`.execute(
    db,
  )
}
