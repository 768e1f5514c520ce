import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/database-types.ts'
import type { AuditRetention } from './retention.ts'

const anHour = 3600 * 1000

/** Deletes what the audit log knows of events that are no longer kept: labels, and the names that people had then. */
export async function forgetLabels(db: Kysely<DB>, now: Date, kept: AuditRetention): Promise<void> {
  const oldest = new Date(now)
  oldest.setUTCMonth(
    oldest.getUTCMonth() - Math.max(kept.auditMonths, kept.auditSignInMonths, kept.auditUnknownSignInMonths),
  )
  await sql`
    delete from audit_labels l
    where not exists (select from audit_events where left(actor, 300) = l.label)
      and not exists (select from audit_events where left(target, 300) = l.label)`.execute(db)
  await sql`
    delete from former_names f
    where f.until < ${oldest}
      or (not exists (select from users u where u.account_id = f.account_id)
        and not exists (select from audit_events where target_id = f.account_id::text)
        and not exists (select from audit_events where left(actor, 300) = left(f.email, 300)))`.execute(db)
  // An event that was written while its label was deleted would never be found.
  await sql`
    insert into audit_labels (label)
    select distinct left(label, 300) from audit_events, unnest(array[actor, target]) as labels (label)
    where created_at > ${new Date(now.getTime() - anHour)} and label is not null
      and not exists (select from audit_labels known where known.label = left(labels.label, 300))`.execute(db)
}
