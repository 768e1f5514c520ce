import { sql } from 'kysely'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The last day of the admin roles that an invitation would give today; null: without an end; undefined: it gives none. */
export async function findPromisedEnd(
  db: Db,
  invitationId: string,
  serviceAdminNeeds: readonly RolePermission[],
): Promise<string | null | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    select nullif(max(least(coalesce(p.until, 'infinity'), coalesce(i.valid_until, 'infinity'))), 'infinity')::text as until
    from invitations i cross join lateral (
      select until from promised_until(i.promised_by, i.organization_id, every_permission())
        where i.user_role = 'organizationAdmin'
      union all
      select u.until from invitation_services s
        cross join lateral promised_until(s.promised_by, s.organization_id, ${[...serviceAdminNeeds]}::text[]) u
        where s.invitation_id = i.invitation_id and s.user_role = 'serviceAdmin') p
    where i.invitation_id = ${invitationId} having count(*) > 0`.execute(db)
  return rows[0]?.until
}

/** Whether who accepts an invitation comes into groups: of the invitation itself, or in which a directory has them. */
export async function promisesGroups(db: Db, invitationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from invitation_groups where invitation_id = ${invitationId}
    union all
    select from invitations i join scim_users u on u.organization_id = i.organization_id and u.email = i.email and u.active
      join scim_group_members m using (scim_user_id) join scim_groups g using (scim_group_id)
    where i.invitation_id = ${invitationId} and m.let_in and num_nonnulls(g.group_id, g.role) > 0
    limit 1`.execute(db)
  return rows.length > 0
}
