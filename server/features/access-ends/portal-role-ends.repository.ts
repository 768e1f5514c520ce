import { sql } from 'kysely'
import { namedPortalRole } from '#contract/organization-roles/role-labels.ts'
import type { PortalRole } from '#contract/portal-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Ending, reminderDays } from './ends.repository.ts'

/** Notes the reminders of roles in the portal that are due, so that one node sends each. @returns what they are about */
export async function takePortalRoleReminders(db: Db): Promise<Ending[]> {
  const days = sql`case when portal_role_until - access_day() <= ${reminderDays.last}::integer
    then ${reminderDays.last}::smallint else ${reminderDays.first}::smallint end`
  const { rows } = await sql<Omit<Ending, 'roles'> & { portalRole: PortalRole }>`
    update users set portal_role_reminder = ${days}
    where operates and portal_role_until between access_day() and access_day() + ${reminderDays.first}::integer
      and coalesce(portal_role_reminder > ${days}, true)
    returning account_id as "accountId", email, first_name as "firstName", last_name as "lastName",
      preferred_language as "preferredLanguage", passive_at is null and not pending as "canSignIn",
      portal_role_until::text as "endsOn", false as membership, '{}'::text[] as services,
      portal_role as "portalRole"`.execute(db)
  return rows.map(({ portalRole, ...ending }) => ({ ...ending, roles: [namedPortalRole(portalRole)] }))
}
