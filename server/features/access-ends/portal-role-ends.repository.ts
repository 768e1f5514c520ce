import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type Ending, reminderDays } from './ends.repository.ts'

/** Notes the reminders of roles in the portal that are due, so that one node sends each. @returns what they are about */
export async function takePortalRoleReminders(db: Db): Promise<Ending[]> {
  const days = sql`case when portal_role_until - access_day() <= ${reminderDays.last}::integer
    then ${reminderDays.last}::smallint else ${reminderDays.first}::smallint end`
  const { rows } = await sql<Ending>`
    update users set portal_role_reminder = ${days}
    where operates and portal_role_until between access_day() and access_day() + ${reminderDays.first}::integer
      and coalesce(portal_role_reminder > ${days}, true)
    returning account_id as "accountId", email, first_name as "firstName", last_name as "lastName",
      preferred_language as "preferredLanguage", passive_at is null and not pending as "canSignIn",
      portal_role_until::text as "endsOn", false as membership, '{}'::text[] as services,
      json_build_array(json_build_object('role', 'portal' || initcap(portal_role), 'name', null)) as roles`.execute(db)
  return rows
}
