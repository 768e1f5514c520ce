import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type RolePermission, rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { type Columns, conditionOf, isId, metaColumns } from '../filter.repository.ts'
import type { Filter } from '../protocol/filter-tree.ts'
import { groupLocation, userLocation } from '../protocol/locations.ts'
import { coreGroup } from '../protocol/schema.ts'

/** A group as the directory of an organisation sees it, without its members. */
export type ScimGroup = Omit<Selectable<DB['scimGroups']>, 'displayNameFolded'>

const columns = [
  'scimGroupId',
  'organizationId',
  'displayName',
  'externalId',
  'groupId',
  'roleKey',
  'roleId',
  'role',
  'decidedBy',
  'version',
  'createdAt',
  'updatedAt',
] as const

interface Key {
  organizationId: string
  scimGroupId: string
}

const select = (db: Db, organizationId: string) =>
  db.selectFrom('scimGroups').select(columns).where('organizationId', '=', organizationId)

/** A group of this organisation's directory; of another one there is none. */
export const findScimGroup = (db: Db, { organizationId, scimGroupId }: Key): Promise<ScimGroup | undefined> =>
  select(db, organizationId).where('scimGroupId', '=', scimGroupId).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockScimGroup = (db: Db, { organizationId, scimGroupId }: Key): Promise<ScimGroup | undefined> =>
  select(db, organizationId).where('scimGroupId', '=', scimGroupId).forUpdate().executeTakeFirst()

/** Where filters find what is asked for of a group. */
function columnsOf(baseUrl: string): Columns {
  const own: Record<string, RawBuilder<unknown>> = {
    id: sql`scim_group_id::text`,
    displayName: sql`display_name`,
    externalId: sql`external_id`,
    ...metaColumns(groupLocation(baseUrl, ''), 'Group', sql`scim_group_id`),
  }
  return {
    value: (names) => own[names.join('.')] ?? sql`null::text`,
    folded: ([name]) => (name === 'displayName' ? sql`display_name_folded` : undefined),
    byIndex: ([name], value) => (name === 'id' ? isId(sql`scim_group_id`, value) : undefined),
    some: (name, filter) =>
      name === 'schemas'
        ? conditionOf(filter, { value: () => sql`${coreGroup}::text` })
        : sql`exists (select from scim_group_members m join scim_users u using (scim_user_id)
            where m.scim_group_id = scim_groups.scim_group_id and ${conditionOf(filter, memberColumns(baseUrl))})`,
  }
}

function memberColumns(baseUrl: string): Columns {
  const own: Record<string, RawBuilder<unknown>> = {
    value: sql`u.scim_user_id::text`,
    display: sql`u.user_name`,
    $ref: sql`${userLocation(baseUrl, '')}::text || u.scim_user_id`,
    type: sql`'User'::text`,
  }
  return {
    value: ([name = '']) => own[name] ?? sql`null::text`,
    folded: ([name]) => (name === 'display' ? sql`u.user_name_folded` : undefined),
    byIndex: ([name], value) => (name === 'value' ? isId(sql`m.scim_user_id`, value) : undefined),
  }
}

/** A page of the directory's groups in order of their ids, and how many there are. */
export async function listScimGroups(
  db: Db,
  organizationId: string,
  { filter, baseUrl, offset, limit }: { filter: Filter; baseUrl: string; offset: number; limit: number },
): Promise<{ total: number; groups: ScimGroup[] }> {
  const condition = conditionOf(filter, columnsOf(baseUrl))
  const counted = await db
    .selectFrom('scimGroups')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organizationId', '=', organizationId)
    .where(condition)
    .executeTakeFirstOrThrow()
  const total = Number(counted.total)
  if (limit === 0 || offset >= total) return { total, groups: [] }
  const page = select(db, organizationId).where(condition).orderBy('scimGroupId').offset(offset).limit(limit)
  return { total, groups: await page.execute() }
}

type Written = Pick<ScimGroup, 'displayName' | 'externalId'>

/** @throws DatabaseError of the constraint `scim_group_name_taken` */
export const insertScimGroup = (db: Db, key: Key, written: Written, now: Date): Promise<ScimGroup> =>
  db
    .insertInto('scimGroups')
    .values({ ...key, ...written, createdAt: now, updatedAt: now })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** The same, and a new version, as another list of members has, too. */
export const changeScimGroup = (db: Db, scimGroupId: string, written: Written, now: Date): Promise<ScimGroup> =>
  db
    .updateTable('scimGroups')
    .set({ ...written, updatedAt: now, version: sql`version + 1` })
    .where('scimGroupId', '=', scimGroupId)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Another version of the groups in which somebody is: how these look has changed. */
export const raiseGroupsOf = (db: Db, scimUserId: string) =>
  sql`with locked as (
      select scim_group_id from scim_groups
      where scim_group_id in (select scim_group_id from scim_group_members where scim_user_id = ${scimUserId})
      order by scim_group_id for no key update)
    update scim_groups set version = version + 1 where scim_group_id in (select scim_group_id from locked)`.execute(db)

export const deleteScimGroup = (db: Db, scimGroupId: string) =>
  db.deleteFrom('scimGroups').where('scimGroupId', '=', scimGroupId).execute()

/** What the group becomes here, in a new version; nothing without a group and a role. */
export const setMapping = (
  db: Db,
  scimGroupId: string,
  mapping: Pick<ScimGroup, 'groupId' | 'roleKey' | 'roleId' | 'decidedBy'>,
): Promise<ScimGroup> =>
  db
    .updateTable('scimGroups')
    .set({ ...mapping, version: sql`version + 1` })
    .where('scimGroupId', '=', scimGroupId)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** What one of the organisation's own roles allows. */
export async function findOwnRole(
  db: Db,
  { organizationId, roleId }: { organizationId: string; roleId: string },
): Promise<{ permissions: RolePermission[] } | undefined> {
  const row = await db
    .selectFrom('organizationRoles')
    .select('permissions')
    .where('organizationId', '=', organizationId)
    .where('roleId', '=', roleId)
    .forKeyShare()
    .executeTakeFirst()
  return row && { permissions: rolePermissions.filter((name) => row.permissions.includes(name)) }
}

/** Whether somebody may decide today what groups of the directory give. */
export async function mayLetIn(db: Db, organizationId: string, accountId: string | null): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select may_let_in(${accountId}::uuid, ${organizationId}::uuid) as may`.execute(db)
  return rows[0]?.may ?? false
}

export async function countScimGroups(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ groups: number }>`
    select count(*)::integer as groups from scim_groups where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.groups ?? 0
}

/** As many of the groups as have so many members together, and one at least: a page of large groups is shorter. */
export async function cutPage(db: Db, groups: readonly ScimGroup[], maxMembers: number): Promise<ScimGroup[]> {
  const ids = groups.map(({ scimGroupId }) => scimGroupId)
  const { rows } = await sql<{ scimGroupId: string; members: number }>`
    select scim_group_id as "scimGroupId", count(*)::integer as members from scim_group_members
    where scim_group_id = any (${ids}::uuid[]) group by 1`.execute(db)
  const sizes = new Map(rows.map(({ scimGroupId, members }) => [scimGroupId, members]))
  let sum = 0
  return groups.filter(({ scimGroupId }, index) => {
    sum += sizes.get(scimGroupId) ?? 0
    return index === 0 || sum <= maxMembers
  })
}
