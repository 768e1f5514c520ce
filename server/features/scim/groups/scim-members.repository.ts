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

/** The names of those in a group, by their ids. */
export const listUserNames = async (db: Db, scimGroupId: string): Promise<[id: string, userName: string][]> =>
  (await listScimMembers(db, [scimGroupId])).map(({ scimUserId, userName }) => [scimUserId, userName])

/** Who is in a group. */
export async function listMemberIds(db: Db, scimGroupId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select scim_user_id as id from scim_group_members where scim_group_id = ${scimGroupId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of the ids that are of the organisation's directory, with their names. They stay until the transaction ends. */
export async function lockKnown(db: Db, organizationId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select scim_user_id as id, user_name as name from scim_users
    where organization_id = ${organizationId} and scim_user_id = any (${uuids(ids)})
    order by scim_user_id for key share`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Puts people in a group. They get what it gives while the person who decided it may decide it today, and who answers for the
 * token may, too (product-rules 15.9); otherwise they wait until an admin decides again.
 */
export const insertMembers = (db: Db, place: { scimGroupId: string; tokenId: string }, ids: readonly string[]) =>
  sql`insert into scim_group_members (scim_group_id, scim_user_id, let_in)
    select scim_group_id, id, let_in from (
        select g.scim_group_id, num_nonnulls(g.group_id, g.role) = 0 or may_let_in(g.decided_by, g.organization_id) and exists (
          select from scim_tokens t where t.token_id = ${place.tokenId} and t.organization_id = g.organization_id
            and token_stands(t.token_id)) as let_in
        from scim_groups g where g.scim_group_id = ${place.scimGroupId}) as place
      cross join unnest(${uuids(ids)}) as id order by id`.execute(db)

/** Lets in everybody in a group: an admin has decided what it becomes. @returns whether somebody was held back */
export async function letIn(db: Db, scimGroupId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update scim_group_members set let_in = true where scim_group_id = ${scimGroupId} and not let_in`.execute(db)
  return numAffectedRows > 0n
}

export const deleteMembers = (db: Db, scimGroupId: string, ids: readonly string[]) =>
  sql`delete from scim_group_members where scim_group_id = ${scimGroupId} and scim_user_id = any (${uuids(ids)})`.execute(
    db,
  )

export interface Person {
  accountId: string
  email: string
}

/** Those in a group of the directory, of these, who get what it gives. */
export async function listReached(db: Db, scimGroupId: string, ids: readonly string[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select distinct account_id as "accountId", email from directory_members join scim_group_members x using (scim_user_id)
    where x.scim_group_id = ${scimGroupId} and x.scim_user_id = any (${uuids(ids)}) and x.let_in order by email`.execute(
    db,
  )
  return rows
}

/** The members behind people of a directory. What ends for them ends, also for one who is a super user by now. */
export async function listGone(db: Db, organizationId: string, ids: readonly string[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select distinct m.account_id as "accountId", u.email from scim_users s
      join memberships m on m.account_id = s.account_id and m.organization_id = s.organization_id
      join users u on u.account_id = m.account_id
    where s.organization_id = ${organizationId} and s.scim_user_id = any (${uuids(ids)}) order by u.email`.execute(db)
  return rows
}

/** What the role that a group becomes is called. */
export async function findRoleName(
  db: Db,
  { role, roleId }: { role: string | null; roleId: string | null },
): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from organization_roles where role_id = ${roleId}`.execute(
    db,
  )
  return rows[0]?.name ?? role ?? ''
}

/** Those of the accounts that no group of the directory puts in a group here. */
export async function leftAlone(db: Db, groupId: string, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${uuids(accountIds)}) as id where not exists (
      select from scim_groups g join scim_group_members x using (scim_group_id) join scim_users s using (scim_user_id)
      where g.group_id = ${groupId} and x.let_in and s.active and s.account_id = id and s.organization_id = g.organization_id)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

// "offset 0": looks once for each person.
const waits = sql`exists (
  select from waiting_grants w where w.group_id = m.group_id and w.account_id = m.account_id offset 0)`

/** Whether a service or role that a group gives somebody by the directory waits for a free seat. */
export async function somebodyWaits(db: Db, organizationId: string, accountIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from group_members m where m.organization_id = ${organizationId} and m.account_id = any (${uuids(accountIds)})
      and m.source = 'directory' and ${waits} limit 1`.execute(db)
  return rows.length > 0
}

interface Which {
  organizationId: string
  /** One; undefined: all. */
  scimGroupId?: string
  offset?: number
  limit?: number
}

/** The directory's groups as the organisation's admins see them: a page of them, or one. */
export async function listDirectoryGroups(
  db: Db,
  { organizationId, scimGroupId, offset = 0, limit = 1 }: Which,
): Promise<DirectoryGroup[]> {
  const { rows } = await sql<DirectoryGroup>`
    select d.scim_group_id as "scimGroupId", d.display_name as name, d.group_id as "groupId", g.name as "groupName",
      d.role, r.name as "roleName", d.version, reached.reached, reached.names,
      (select count(*)::integer from scim_group_members x where x.scim_group_id = d.scim_group_id and not x.let_in) as "heldBack",
      (select count(*)::integer from scim_group_members x where x.scim_group_id = d.scim_group_id) as people,
      (select count(*)::integer from scim_group_members x join scim_users s using (scim_user_id)
          join group_members m on m.group_id = d.group_id and m.account_id = s.account_id and m.source = 'directory'
        where x.scim_group_id = d.scim_group_id and ${waits}) as waiting
    from (
        select * from scim_groups where organization_id = ${organizationId}
          and (scim_group_id = ${scimGroupId ?? null} or ${scimGroupId ?? null}::uuid is null)
        order by display_name collate "sv-x-icu", scim_group_id offset ${offset} limit ${limit}) as d
      left join groups g on g.group_id = d.group_id left join organization_roles r on r.role_id = d.role_id
      cross join lateral (
        select count(*)::integer as reached, coalesce((array_agg(email order by email))[:3], '{}') as names
        from (select distinct email from directory_members join scim_group_members x using (scim_user_id)
          where x.scim_group_id = d.scim_group_id) as people) as reached
    order by d.display_name collate "sv-x-icu", d.scim_group_id`.execute(db)
  return rows
}
