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

/**
 * Somebody's roles beside the admin role for an audit event of what ends them, by organisation, such as
 * "Havsvik: groupAdmin [Ward 3], reader".
 */
export async function readRolesText(
  db: Db,
  accountId: string,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (organizationIds.length === 0) return new Map()
  const { rows } = await sql<{ organizationId: string; text: string }>`
    select organization_id as "organizationId", o.name || ': ' || string_agg(one, ', ' order by one collate "sv-x-icu") as text from (
      select organization_id, coalesce(name, role) as one from held_roles where account_id = ${accountId}
      union
      select r.organization_id, r.role_key || ' [' || coalesce(s.name, g.name) || ']'
      from scoped_roles r left join services s using (service_id) left join groups g using (group_id)
      where r.account_id = ${accountId}) as held join organizations o using (organization_id)
    where organization_id = any (${organizationIds}::uuid[])
    group by organization_id, o.name order by o.name`.execute(db)
  return new Map(rows.map(({ organizationId, text }) => [organizationId, text]))
}

interface Parts {
  /** Left out: in every organisation. */
  organizationId?: string
  /** Left out: every service, and every group. */
  serviceIds?: readonly string[]
}

/** Who has a role for parts of an organisation, likewise, such as "asa@havsvik.example (Havsvik: Ward 3)". */
export async function readHolders(
  db: Db,
  { organizationId, serviceIds }: Parts,
): Promise<{ serviceOwners: string; groupAdmins: string }> {
  const { rows } = await sql<{ key: Scoped['role']; text: string }>`
    select role_key as key, string_agg(one, ', ' order by one collate "sv-x-icu") as text from (
      select r.role_key, u.email || ' (' || o.name || ': ' || coalesce(s.name, g.name) || ')' as one
      from scoped_roles r join users u using (account_id) join organizations o using (organization_id)
        left join services s using (service_id) left join groups g using (group_id)
      where ${organizationId ? sql`r.organization_id = ${organizationId}` : sql`true`}
        and ${serviceIds ? sql`r.service_id = any (${serviceIds}::uuid[])` : sql`true`}) as held
    group by role_key`.execute(db)
  const those = (role: Scoped['role']) => rows.find(({ key }) => key === role)?.text ?? ''
  return { serviceOwners: those('serviceOwner'), groupAdmins: those('groupAdmin') }
}
