import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type DuePerson, daysBefore } from './due-people.repository.ts'

/** Lets one transaction at a time take steps, on all nodes. */
export const lockPassiveUsers = (db: Db) => sql`select pg_advisory_xact_lock(hashtext('passive_users'))`.execute(db)

export const setPassive = (db: Db, accountId: string, now: Date) =>
  db
    .updateTable('users')
    .set({ passiveAt: now, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .execute()

export const forgetWarnings = (db: Db, accountId: string) =>
  db.deleteFrom('passiveWarnings').where('accountId', '=', accountId).execute()

/** Notes for each organisation of the person that its admins are to be told. */
export const addReports = (db: Db, accountId: string) =>
  sql`
    insert into passive_reports (organization_id, account_id)
    select organization_id, account_id from current_memberships where account_id = ${accountId}::uuid
    on conflict do nothing`.execute(db)

export async function rememberWarning(db: Db, { accountId, step }: DuePerson, now: Date): Promise<void> {
  if (step === 'passive') return
  await sql`
    insert into passive_warnings (account_id, days_before, active_since, sent_at)
    select account_id, ${daysBefore[step]}::smallint, coalesce(last_active, created_at), ${now}::timestamptz
    from users where account_id = ${accountId}::uuid
    on conflict (account_id) do update set days_before = excluded.days_before, active_since = excluded.active_since,
      sent_at = excluded.sent_at`.execute(db)
}
