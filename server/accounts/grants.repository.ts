import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import { type RolePermission, scopedNeeds } from '#contract/organization-roles/role-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A role that somebody has, with its days. */
export interface Grant {
  role: string
  name: string | null
  permissions: RolePermission[]
  validFrom: string | null
  validUntil: string | null
}

/**
 * The roles of a member, also those that begin later or have ended.
 *
 * @param byHand only what people have given; what a group of the directory gives is not theirs to change
 */
export async function listGrants(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
  { byHand = false }: { byHand?: boolean } = {},
): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    select role, name, permissions, valid_from::text as "validFrom", valid_until::text as "validUntil" from held_roles
    where account_id = ${accountId} and organization_id = ${organizationId} and not (by_directory and ${byHand}) order by name nulls first, role`.execute(
    db,
  )
  // The database refuses every other permission.
  return rows
}

/** Somebody's roles for a part of an organisation, likewise, with what those hold who give them. */
export async function listScopedGrants(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
): Promise<Omit<Grant, 'name'>[]> {
  const { rows } = await sql<Omit<Grant, 'name' | 'permissions'> & { key: Scoped['role'] }>`
    select scope_id as role, role_key as key, valid_from::text as "validFrom", valid_until::text as "validUntil" from scoped_roles
    where account_id = ${accountId} and organization_id = ${organizationId} order by 1`.execute(db)
  return rows.map(({ key, ...row }) => ({ ...row, permissions: [...scopedNeeds[key]] }))
}

/** The same for an audit event, such as "groupAdmin [Ward 3]". */
export async function readScopedText(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
): Promise<string> {
  const { rows } = await sql<{ one: string }>`
    select r.role_key || ' [' || coalesce(s.name, g.name) || ']' as one
    from scoped_roles r left join services s using (service_id) left join groups g using (group_id)
    where r.account_id = ${accountId} and r.organization_id = ${organizationId} order by 1`.execute(db)
  return rows.map(({ one }) => one).join(', ')
}
