import { sql } from 'kysely'
import type { PortalRole } from '#contract/portal-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Ending, reminderDays } from './ends.repository.ts'

/** A role in the portal that ends soon, and whose it is. */
export type PortalRoleEnding = Omit<Ending, 'membership' | 'role' | 'services'> & { portalRole: PortalRole }

/** Notes the reminders that are due, so that one node sends each. @returns what they are about */
export async function takePortalRoleReminders(db: Db): Promise<PortalRoleEnding[]> {
  const days = sql`case when portal_role_until - access_day() <= ${reminderDays.last}::integer
    then ${reminderDays.last}::smallint else ${reminderDays.first}::smallint end`
  const { rows } = await sql<PortalRoleEnding>`
    update users set portal_role_reminder = ${days}
    where operates and portal_role_until between access_day() and access_day() + ${reminderDays.first}::integer
      and coalesce(portal_role_reminder > ${days}, true)
    returning account_id as "accountId", email, first_name as "firstName", last_name as "lastName",
      preferred_language as "preferredLanguage", passive_at is null and not pending as "canSignIn",
      portal_role as "portalRole", portal_role_until::text as "endsOn"`.execute(db)
  return rows
}
