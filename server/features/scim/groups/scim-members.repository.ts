import { sql } from 'kysely'
import type { DirectoryGroup } from '#contract/scim/directory-groups.ts'
import type { Db } from '#server/platform/database/database.ts'

const uuids = (ids: readonly string[]) => sql`${ids as string[]}::uuid[]`

/** Who is in these groups, in order. */
export async function listScimMembers(db: Db, scimGroupIds: readonly string[]) {
  const { rows } = await sql<{ scimGroupId: string; scimUserId: string; userName: string }>`
    select m.scim_group_id as "scimGroupId", u.scim_user_id as "scimUserId", u.user_name as "userName"
    from scim_group_members m join scim_users u using (scim_user_id)
    where m.scim_group_id = any (${uuids(scimGroupIds)}) order by u.scim_user_id`.execute(db)
  return rows
}

/** Who is in a group. */
export async function listMemberIds(db: Db, scimGroupId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select scim_user_id as id from scim_group_members where scim_group_id = ${scimGroupId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of the ids that are of the organisation's directory. They stay until the transaction ends. */
export async function lockKnown(db: Db, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select scim_user_id as id from scim_users
    where organization_id = ${organizationId} and scim_user_id = any (${uuids(ids)})
    order by scim_user_id for key share`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export const insertMembers = (db: Db, scimGroupId: string, ids: readonly string[]) =>
  sql`insert into scim_group_members (scim_group_id, scim_user_id)
    select ${scimGroupId}::uuid, id from unnest(${uuids(ids)}) as id order by id`.execute(db)

export const deleteMembers = (db: Db, scimGroupId: string, ids: readonly string[]) =>
  sql`delete from scim_group_members where scim_group_id = ${scimGroupId} and scim_user_id = any (${uuids(ids)})`.execute(
    db,
  )

interface Person {
  accountId: string
  email: string
}

/** The members of the organisation behind people of its directory; never who runs the portal. */
export async function listMembersBehind(db: Db, organizationId: string, ids: readonly string[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select m.account_id as "accountId", u.email from scim_users s
      join memberships m on m.account_id = s.account_id and m.organization_id = s.organization_id
      join users u on u.account_id = m.account_id
    where s.organization_id = ${organizationId} and s.scim_user_id = any (${uuids(ids)}) and s.active and not u.super_user
    order by u.email`.execute(db)
  return rows
}

/** Those of the accounts that no group of the directory puts in a group here. */
export async function leftAlone(db: Db, groupId: string, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${uuids(accountIds)}) as id where not exists (
      select from scim_groups g join scim_group_members using (scim_group_id) join scim_users s using (scim_user_id)
      where g.group_id = ${groupId} and s.account_id = id and s.organization_id = g.organization_id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Puts somebody who was a member already in the groups in which the directory has them. */
export const joinDirectoryGroups = (
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
) => sql`select join_directory_groups(${accountId}::uuid, ${organizationId}::uuid)`.execute(db)

const waits = sql`(exists (
    select from group_grants w where w.group_id = m.group_id and w.account_id = m.account_id and not w.has_ended and not exists (
      select from service_assignments a where a.account_id = w.account_id and a.organization_id = w.organization_id
        and a.service_id = w.service_id))
  or exists (
    select from group_role_grants w where w.group_id = m.group_id and w.account_id = m.account_id and not w.has_ended and not exists (
      select from service_role_assignments h where h.account_id = w.account_id and h.organization_id = w.organization_id
        and h.service_id = w.service_id and h.role_id = w.role_id)))`

/** Whether a service or role that a group gives somebody by the directory waits for a free seat. */
export async function somebodyWaits(db: Db, organizationId: string, accountIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from group_members m where m.organization_id = ${organizationId} and m.account_id = any (${uuids(accountIds)})
      and m.source = 'directory' and ${waits} limit 1`.execute(db)
  return rows.length > 0
}

/** The directory's groups as the organisation's admins see them. */
export async function listDirectoryGroups(
  db: Db,
  organizationId: string,
  scimGroupId: string | null = null,
): Promise<DirectoryGroup[]> {
  const { rows } = await sql<DirectoryGroup>`
    select d.scim_group_id as "scimGroupId", d.display_name as name, d.group_id as "groupId", g.name as "groupName",
      d.role, r.name as "roleName",
      (select count(*)::integer from scim_group_members x where x.scim_group_id = d.scim_group_id) as people,
      (select count(*)::integer from scim_group_members x join scim_users s using (scim_user_id)
          join group_members m on m.group_id = d.group_id and m.account_id = s.account_id and m.source = 'directory'
        where x.scim_group_id = d.scim_group_id and ${waits}) as waiting
    from scim_groups d left join groups g on g.group_id = d.group_id left join organization_roles r on r.role_id = d.role_id
    where d.organization_id = ${organizationId} and (d.scim_group_id = ${scimGroupId} or ${scimGroupId}::uuid is null)
    order by d.display_name collate "sv-x-icu", d.scim_group_id`.execute(db)
  return rows
}
