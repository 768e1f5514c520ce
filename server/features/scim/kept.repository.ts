import { sql } from 'kysely'
import { type Acting, insertMemberships } from '#server/accounts/directory-groups.ts'
import { type Grant, giveGrants } from '#server/accounts/grants.repository.ts'
import { applyToMembers } from '#server/accounts/group-access.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Kept, ScimUser } from './scim-users.repository.ts'

interface Member {
  accountId: string
  organizationId: string
}

/** The ids of the services and roles that a group gives. */
const givenBy = (groupId: string) => sql`service_id::text from group_services x where x.group_id = ${sql.ref(groupId)}
  union all select role_id::text from group_service_roles x where x.group_id = ${sql.ref(groupId)}`

/** Notes what somebody has in an organisation, for when they come back. */
export async function readKept(db: Db, member: Member): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select now()::text as at, user_role as "userRole", entry, valid_from::text as "validFrom", valid_until::text as "validUntil",
      role_from::text as "roleFrom", role_until::text as "roleUntil",
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'serviceId', a.service_id, 'userRole', a.user_role,
          'validFrom', a.valid_from, 'validUntil', a.valid_until,
          'roles', (select coalesce(jsonb_agg(jsonb_build_object(
              'roleId', r.role_id, 'validFrom', r.valid_from, 'validUntil', r.valid_until)), '[]')
            from service_role_assignments r
            where (r.account_id, r.organization_id, r.service_id) = (a.account_id, a.organization_id, a.service_id)
              and r.source = 'hand'))
          order by a.service_id)
        from service_assignments a
        -- What the person has for themselves; what groups alone give has no source, and is theirs to give.
        where (a.account_id, a.organization_id) = (m.account_id, m.organization_id)
          and to_jsonb(a) -> 'source' is distinct from 'null'::jsonb), '[]') as services,
      coalesce((
        select jsonb_agg(jsonb_build_object('roleKey', g.role_key, 'roleId', g.role_id,
          'validFrom', g.valid_from, 'validUntil', g.valid_until,
          'permissions', coalesce(r.permissions, built_in_permissions(g.role_key))))
        from all_grants g left join organization_roles r on r.role_id = g.role_id
        where g.scope = 'organization' and (g.account_id, g.organization_id) = (m.account_id, m.organization_id)), '[]') as roles,
      coalesce((
        select jsonb_agg(jsonb_build_object('groupId', g.group_id, 'validFrom', g.valid_from, 'validUntil', g.valid_until,
          'gives', array(select ${givenBy('g.groupId')})))
        from group_members g
        where (g.account_id, g.organization_id) = (m.account_id, m.organization_id) and g.source = 'hand'), '[]') as groups
    from memberships m
    where account_id = ${member.accountId} and organization_id = ${member.organizationId}`.execute(db)
  return rows[0]
}

/** What was noted, where there is something: what a note does not hold is nothing. */
export const keptOf = ({ kept }: ScimUser): Kept | null =>
  kept && { ...kept, services: kept.services ?? [], roles: kept.roles ?? [], groups: kept.groups ?? [] }

/**
 * Whether the account may become a member again without an invitation: it is there, the address in the directory is still its
 * own, and no other rule stands against it.
 */
export async function canReturn(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  { entry }: Kept,
): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select not operates and (${isAddressProven}
      or (${entry} = 'opened' and not exists (select from memberships m where m.account_id = users.account_id))) as allowed
    from users where account_id = ${accountId} and email = ${email} for no key update`.execute(db)
  return rows[0]?.allowed ?? false
}

/** What somebody got back, beside the services. */
interface GivenBack {
  withoutSeat: number
  /** Names. */
  roles: string[]
  groups: string[]
}

/**
 * Gives a membership back as it was: role, roles of the organisation, groups by hand, and the services that have been
 * offered all the time and have a free seat. A role that allows more by now, or a group that gives more, is left out.
 */
export async function giveBack(
  db: Db,
  member: Member,
  { kept, acting }: { kept: Kept; acting: Acting | undefined },
): Promise<GivenBack> {
  const { accountId, organizationId } = member
  // People, then the directory's groups, as when somebody joins (accounts/directory-groups.ts); groups before seats, as whatever changes a group does.
  await sql`select from scim_users where account_id = ${accountId} and organization_id = ${organizationId}
    order by scim_user_id for update`.execute(db)
  await sql`select from scim_groups where scim_group_id in (
      select scim_group_id from scim_group_members join scim_users using (scim_user_id)
      where account_id = ${accountId} and organization_id = ${organizationId})
    order by scim_group_id for share`.execute(db)
  await sql`select from groups where organization_id = ${organizationId}
    and group_id = any (${kept.groups.map(({ groupId }) => groupId)}::uuid[]) order by group_id for share`.execute(db)
  const { userRole, entry, validFrom, validUntil, roleFrom, roleUntil } = kept
  const days = dayColumns({ validFrom, validUntil, roleFrom, roleUntil })
  await insertMemberships(db, [{ accountId, organizationId, userRole, entry, ...days }], acting)
  const roles = await giveRolesBack(db, member, kept)
  const withoutSeat = await giveServicesBack(db, member, kept)
  return { withoutSeat, roles, groups: await giveGroupsBack(db, member, kept) }
}

async function giveRolesBack(db: Db, { accountId, organizationId }: Member, { roles }: Kept): Promise<string[]> {
  // Nobody widens one until this transaction ends.
  await sql`select from organization_roles where role_id = any (${roles.map(({ roleId }) => roleId)}::uuid[])
    order by role_id for share`.execute(db)
  const { rows } = await sql<Pick<Grant, 'role' | 'validFrom' | 'validUntil'> & { name: string }>`
    select coalesce("roleKey", "roleId"::text) as role, coalesce(r.name, "roleKey") as name,
      "validFrom"::text as "validFrom", "validUntil"::text as "validUntil"
    from jsonb_to_recordset(${JSON.stringify(roles)}::jsonb)
        as w ("roleKey" text, "roleId" uuid, "validFrom" date, "validUntil" date, permissions jsonb)
      left join organization_roles r on r.role_id = w."roleId" and r.organization_id = ${organizationId}
    where "roleKey" is not null or r.permissions <@ array(select jsonb_array_elements_text(w.permissions))
    order by 2`.execute(db)
  const wanted = rows.map((one) => ({ ...one, scopeId: null }))
  await giveGrants(db, { accountId, organizationId }, wanted, null)
  return wanted.map(({ name }) => name)
}

async function giveGroupsBack(db: Db, { accountId, organizationId }: Member, { groups }: Kept): Promise<string[]> {
  if (groups.length === 0) return []
  const { rows } = await sql<{ groupId: string; name: string }>`
    with wanted as (
      select g.group_id, g.name, "validFrom", "validUntil"
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as w ("groupId" uuid, "validFrom" date, "validUntil" date, gives jsonb)
        join groups g on g.group_id = w."groupId" and g.organization_id = ${organizationId}
      where array(select ${givenBy('g.groupId')}) <@ array(select jsonb_array_elements_text(w.gives))
    ), given as (
      insert into group_members (group_id, organization_id, account_id, valid_from, valid_until)
      select group_id, ${organizationId}::uuid, ${accountId}::uuid, "validFrom", "validUntil" from wanted order by 1)
    select group_id as "groupId", name from wanted order by name`.execute(db)
  const groupIds = rows.map(({ groupId }) => groupId)
  await applyToMembers(db, { groupIds, organizationId }, [accountId])
  return rows.map(({ name }) => name)
}

/** @returns how many had no free seat */
async function giveServicesBack(db: Db, member: Member, kept: Kept): Promise<number> {
  const { accountId, organizationId } = member
  const wanted = JSON.stringify(kept.services)
  const { rows } = await sql<{ serviceId: string; given: boolean }>`
    with wanted as (
      select * from jsonb_to_recordset(${wanted}::jsonb)
        as w ("serviceId" uuid, "userRole" text, "validFrom" date, "validUntil" date)
    ), offered as materialized (
      -- The rows that count the seats, always in the same order. What a group of the directory gave first has its seat.
      select o.service_id, o.max_number_of_users is null or o.seats_used < o.max_number_of_users or exists (
        select from service_assignments a
        where (a.account_id, a.organization_id, a.service_id) = (${accountId}::uuid, o.organization_id, o.service_id)) as free
      from organization_services o
      where o.organization_id = ${organizationId} and o.service_id in (select "serviceId" from wanted)
        and o.created_at <= ${kept.at}::timestamptz
      order by o.service_id for no key update
    ), given as (
      insert into service_assignments as a (account_id, organization_id, service_id, user_role, valid_from, valid_until)
      select ${accountId}::uuid, ${organizationId}::uuid, "serviceId", "userRole", "validFrom", "validUntil"
      from wanted join offered on offered.service_id = "serviceId" and free
      on conflict (account_id, organization_id, service_id) do update set source = 'hand', user_role = excluded.user_role,
        valid_from = excluded.valid_from, valid_until = excluded.valid_until where a.source is null
    )
    select service_id as "serviceId", free as given from offered`.execute(db)
  await giveServiceRolesBack(
    db,
    member,
    kept,
    rows.map(({ serviceId }) => serviceId),
  )
  return rows.filter(({ given }) => !given).length
}

/** The service's own roles, one by one: one that is full or was removed by now is left out. */
function giveServiceRolesBack(
  db: Db,
  { accountId, organizationId }: Member,
  { services }: Kept,
  offered: readonly string[],
) {
  const roles = services.flatMap((one) => (offered.includes(one.serviceId) ? one.roles : []))
  return sql`select give_service_roles(${accountId}::uuid, ${organizationId}::uuid, ${JSON.stringify(roles)}::jsonb)`.execute(
    db,
  )
}
