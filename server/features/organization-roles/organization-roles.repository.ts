import { sql } from 'kysely'
import type { GivableRole, OrganizationRoleForm, OwnRole } from '#contract/organization-roles/organization-roles.ts'
import { builtInRoles, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Change } from '#server/platform/database/versioned.ts'
import { newId } from '#server/platform/ids.ts'

interface InOrganization {
  organizationId: string
}

const columns = ['roleId', 'name', 'permissions', 'version'] as const
// The database refuses every other permission.
const typed = <Row extends { permissions: string[] | null }>(row: Row) => ({
  ...row,
  permissions: rolePermissions.filter((name) => row.permissions?.includes(name)),
})

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

const role = (db: Db, { roleId, organizationId }: InOrganization & { roleId: string }) =>
  db
    .selectFrom('organizationRoles')
    .select(columns)
    .where('roleId', '=', roleId)
    .where('organizationId', '=', organizationId)

export async function findRole(db: Db, place: InOrganization & { roleId: string }): Promise<OwnRole | undefined> {
  const row = await role(db, place).executeTakeFirst()
  return row && typed(row)
}
export async function findRoleForUpdate(
  db: Db,
  place: InOrganization & { roleId: string },
): Promise<OwnRole | undefined> {
  const row = await role(db, place).forUpdate().executeTakeFirst()
  return row && typed(row)
}

/** The built-in roles, then the organisation's own by name. */
export async function listGivable(db: Db, organizationId: string): Promise<GivableRole[]> {
  const own = await db
    .selectFrom('organizationRoles')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .orderBy('name')
    .orderBy('roleId')
    .execute()
  const holders = await db
    .selectFrom('allHeldRoles')
    .select(['role', ({ fn }) => fn.count<number>('accountId').distinct().as('people')])
    .where('organizationId', '=', organizationId)
    .groupBy('role')
    .execute()
  const people = new Map(holders.map((one) => [one.role, one.people]))
  return [
    ...Object.entries(builtInRoles).map(([key, permissions]) => ({
      ...{ role: key, name: null, permissions: [...permissions] },
      people: people.get(key) ?? 0,
    })),
    ...own.map(typed).map(({ roleId, name, permissions }) => ({
      ...{ role: roleId, name, permissions },
      people: people.get(roleId) ?? 0,
    })),
  ]
}

export async function insertRole(db: Db, organizationId: string, form: OrganizationRoleForm): Promise<OwnRole> {
  const row = await db
    .insertInto('organizationRoles')
    .values({ roleId: newId(), organizationId, ...form })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return typed(row)
}

export async function updateRole(db: Db, roleId: string, form: Change<OrganizationRoleForm>): Promise<OwnRole> {
  const row = await db
    .updateTable('organizationRoles')
    .set({ ...form, version: sql`version + 1` })
    .where('roleId', '=', roleId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return typed(row)
}

export const deleteRole = (db: Db, roleId: string) =>
  db.deleteFrom('organizationRoles').where('roleId', '=', roleId).execute()

/** The last day of any holder of a role, null for one without an end; undefined where nobody has it. */
export async function findLastEnd(
  db: Db,
  place: InOrganization & { role: string },
): Promise<string | null | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    select nullif(max(ends), 'infinity')::text as until from (
      select coalesce(valid_until, 'infinity') as ends from all_grants
      where organization_id = ${place.organizationId} and scope = 'organization' and role = ${place.role}
      -- To who is in such a group, and to who comes.
      union all select 'infinity' from scim_groups where organization_id = ${place.organizationId} and role = ${place.role}
    ) as holders having count(*) > 0`.execute(db)
  return rows[0]?.until
}
