import { type InsertObject, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { type Member, uuids } from './group-access.repository.ts'

export type NewMembership = InsertObject<DB, 'memberships'> & Member

/** The rows alone: `insertMemberships` sees to the directory, too. */
export const insertRows = (db: Db, memberships: readonly NewMembership[]) =>
  db.insertInto('memberships').values(memberships).execute()

/** Who accepts the invitation of a directory is its person from then on. */
export const linkToDirectory = (db: Db, { accountId, organizationId }: Member) =>
  sql`update scim_users set account_id = ${accountId}
    where organization_id = ${organizationId} and account_id is null
      and email = (select email from users where account_id = ${accountId} and not operates)`.execute(db)

/** Somebody came in by another way: the admin who gave it decides what they have, so the directory restores nothing. */
export const forgetKept = (db: Db, { accountId, organizationId }: Member) =>
  sql`update scim_users set kept = null
    where account_id = ${accountId} and organization_id = ${organizationId} and kept is not null`.execute(db)

/** Locks somebody as the directory sees them. @returns their ids there */
export async function lockViews(db: Db, { accountId, organizationId }: Member): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select scim_user_id as id from scim_users where account_id = ${accountId} and organization_id = ${organizationId}
    order by scim_user_id for update`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the groups of the directory in which somebody is: who changes them, or what they become, takes turns with who joins. */
export async function lockDirectoryGroups(db: Db, views: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from scim_groups where scim_group_id in (
      select scim_group_id from scim_group_members where scim_user_id = any (${uuids(views)}))
    order by scim_group_id for share`.execute(db)
  return rows.length > 0
}

/** Holds somebody back from what the groups become, where who decided it may not decide it today. */
export const holdBack = (db: Db, views: readonly string[]) =>
  sql`update scim_group_members x set let_in = false
    from scim_groups g
    where g.scim_group_id = x.scim_group_id and x.scim_user_id = any (${uuids(views)}) and x.let_in
      and num_nonnulls(g.group_id, g.role) > 0 and not may_let_in(g.decided_by, g.organization_id)`.execute(db)

/** The groups in which groups of the directory put somebody. */
export async function listGroupsByDirectory(db: Db, accountId: string, views: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct g.group_id as id
    from directory_members d join scim_group_members x using (scim_user_id) join scim_groups g using (scim_group_id)
    where d.scim_user_id = any (${uuids(views)}) and d.account_id = ${accountId} and x.let_in and g.group_id is not null
    order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** What somebody got by groups of the directory: these groups, and roles. */
export async function describeJoined(db: Db, accountId: string, views: readonly string[], cameIn: readonly string[]) {
  const { rows } = await sql<{ id: string; name: string; email: string; roles: string | null; now: Date }>`
    select distinct coalesce(g.group_id, s.scim_group_id)::text as id, coalesce(g.name, s.display_name) as name, d.email,
      case when s.role is not null then coalesce(r.name, s.role) end as roles, now() as now
    from directory_members d join scim_group_members x using (scim_user_id) join scim_groups s using (scim_group_id)
      left join groups g on g.group_id = s.group_id left join organization_roles r on r.role_id = s.role_id
    where d.scim_user_id = any (${uuids(views)}) and d.account_id = ${accountId} and x.let_in
      and (s.group_id = any (${uuids(cameIn)})
        or s.role is not null and not coalesce(r.permissions, built_in_permissions(s.role_key)) && powers_over_others())
    order by 1`.execute(db)
  return rows
}

/** The organisations whose directory has an account, and whether it reaches it: by a proven address, or by its own sign-in. */
export async function listDirectories(db: Db, accountId: string) {
  const { rows } = await sql<{ organizationId: string; reaches: boolean }>`
    select distinct o.organization_id as "organizationId",
      directory_reaches(u.operates, u.email_proof, u.login_method, u.saml_config_id, o.login_method, o.saml_config_id) as reaches
    from scim_users s join organizations o using (organization_id) join users u using (account_id)
    where account_id = ${accountId} order by 1`.execute(db)
  return rows
}

export const lockAccount = (db: Db, accountId: string) =>
  sql`select from users where account_id = ${accountId} for no key update`.execute(db)
