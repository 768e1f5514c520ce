import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import {
  isBuiltIn,
  type RolePermission,
  type ScopedRole,
  scopedNeeds,
} from '#contract/organization-roles/role-permissions.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Of whom, and where. */
export interface Place {
  accountId: string
  organizationId: string
}

/** A role that somebody has, with its days: in the organisation, or for one service or group of it. */
export interface Grant {
  /** A key, or the id of one of the organisation's own roles. */
  role: string
  /** The service or the group; null: the whole organisation. */
  scopeId: string | null
  /** Of an own role, of the service or of the group. */
  name: string | null
  /** What it allows; of a role for a part, what those hold who give it. */
  permissions: readonly RolePermission[]
  validFrom: string | null
  validUntil: string | null
}

/**
 * The roles of a member, first those of the whole organisation, also those that begin later or have ended.
 *
 * @param byHand only what people have given; what a group of the directory gives is not theirs to change
 * @param scopeId only those of a part, or with null those of the whole organisation
 */
export async function listGrants(
  db: Db,
  { accountId, organizationId }: Place,
  { byHand = false, scopeId }: { byHand?: boolean; scopeId?: string | null } = {},
): Promise<Grant[]> {
  const { rows } = await sql<Grant & { permissions: RolePermission[] | null }>`
    select role, scope_id as "scopeId", name, permissions, valid_from::text as "validFrom", valid_until::text as "validUntil" from (
      select role, null::uuid as scope_id, name, permissions, valid_from, valid_until from all_held_roles
      where account_id = ${accountId} and organization_id = ${organizationId} and not (by_directory and ${byHand})
      union all
      select role, scope_id, coalesce(s.name, g.name), null, valid_from, valid_until
      from all_grants left join services s using (service_id) left join groups g using (group_id)
      where account_id = ${accountId} and all_grants.organization_id = ${organizationId} and scope_id is not null) as held
    where ${scopeId === undefined ? sql`true` : sql`scope_id is not distinct from ${scopeId}::uuid`}
    order by scope_id nulls first, name nulls first, role`.execute(db)
  // The database refuses every other permission, and every other role for a part.
  return rows.map((row) => ({ ...row, permissions: row.permissions ?? scopedNeeds[row.role as ScopedRole] }))
}

/**
 * Gives a member roles, or other days of them.
 *
 * @param givenBy null: they come back with the person
 */
export async function giveGrants(
  db: Db,
  { accountId, organizationId }: Place,
  grants: readonly Pick<Grant, 'role' | 'scopeId' | 'validFrom' | 'validUntil'>[],
  givenBy: string | null,
): Promise<void> {
  if (grants.length === 0) return
  await db
    .insertInto('allGrants')
    .values(
      grants.map(({ role, scopeId, validFrom, validUntil }) => ({
        ...{ accountId, organizationId, givenBy },
        ...(scopeId === null && !isBuiltIn(role) ? { roleId: role } : { roleKey: role }),
        ...(role === 'groupAdmin' ? { groupId: scopeId } : { serviceId: scopeId }),
        ...dayColumns({ validFrom, validUntil }),
      })),
    )
    .onConflict((conflict) =>
      conflict.constraint('grant_once').doUpdateSet((given) => ({
        validFrom: given.ref('excluded.validFrom'),
        validUntil: given.ref('excluded.validUntil'),
        givenBy: given.ref('excluded.givenBy'),
      })),
    )
    .execute()
}

/** Takes roles from a member. */
export async function endGrants(
  db: Db,
  { accountId, organizationId }: Place,
  grants: readonly Pick<Grant, 'role' | 'scopeId'>[],
): Promise<void> {
  for (const { role, scopeId } of grants)
    await db
      .deleteFrom('allGrants')
      .where('accountId', '=', accountId)
      .where('organizationId', '=', organizationId)
      .where('role', '=', role)
      .where('scopeId', 'is not distinct from', scopeId)
      .execute()
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
      select organization_id, coalesce(name, role) as one from all_held_roles where account_id = ${accountId}
      union
      select r.organization_id, r.role || ' [' || coalesce(s.name, g.name) || ']'
      from all_grants r left join services s using (service_id) left join groups g using (group_id)
      where r.scope_id is not null and r.account_id = ${accountId}) as held join organizations o using (organization_id)
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
    select role as key, string_agg(one, ', ' order by one collate "sv-x-icu") as text from (
      select r.role, u.email || ' (' || o.name || ': ' || coalesce(s.name, g.name) || ')' as one
      from all_grants r join users u using (account_id) join organizations o using (organization_id)
        left join services s using (service_id) left join groups g using (group_id)
      where r.scope_id is not null and ${organizationId ? sql`r.organization_id = ${organizationId}` : sql`true`}
        and ${serviceIds ? sql`r.service_id = any (${serviceIds}::uuid[])` : sql`true`}) as held
    group by role`.execute(db)
  const those = (role: Scoped['role']) => rows.find(({ key }) => key === role)?.text ?? ''
  return { serviceOwners: those('serviceOwner'), groupAdmins: those('groupAdmin') }
}
