import { sql } from 'kysely'
import { powersOverOthers } from '#contract/organization-roles/role-permissions.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Kept } from './scim-users.repository.ts'

interface Member {
  accountId: string
  organizationId: string
}

/** Notes what somebody has in an organisation, for when they come back. */
export async function readKept(db: Db, member: Member): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select user_role as "userRole", entry, valid_from::text as "validFrom", valid_until::text as "validUntil",
      role_from::text as "roleFrom", role_until::text as "roleUntil",
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'serviceId', a.service_id, 'userRole', a.user_role,
          'validFrom', a.valid_from, 'validUntil', a.valid_until,
          'roles', (select coalesce(jsonb_agg(jsonb_build_object(
              'roleId', r.role_id, 'validFrom', r.valid_from, 'validUntil', r.valid_until)), '[]')
            from service_role_assignments r
            where (r.account_id, r.organization_id, r.service_id) = (a.account_id, a.organization_id, a.service_id)
              and coalesce((to_jsonb(r) ->> 'by_hand')::boolean, true)))
          order by a.service_id)
        from service_assignments a
        -- What the person has for themselves; what groups alone give has no source, and is theirs to give.
        where (a.account_id, a.organization_id) = (m.account_id, m.organization_id)
          and to_jsonb(a) -> 'source' is distinct from 'null'::jsonb), '[]') as services,
      coalesce((
        select jsonb_agg(jsonb_build_object('roleKey', g.role_key, 'roleId', g.role_id,
          'validFrom', g.valid_from, 'validUntil', g.valid_until,
          'permissions', coalesce(r.permissions, built_in_permissions(g.role_key))))
        from role_grants g left join organization_roles r on r.role_id = g.role_id
        where (g.account_id, g.organization_id) = (m.account_id, m.organization_id)), '[]') as roles,
      coalesce((
        select jsonb_agg(jsonb_build_object('groupId', g.group_id, 'validFrom', g.valid_from, 'validUntil', g.valid_until))
        from group_members g
        where (g.account_id, g.organization_id) = (m.account_id, m.organization_id) and g.source = 'hand'), '[]') as groups
    from memberships m
    where account_id = ${member.accountId} and organization_id = ${member.organizationId}`.execute(db)
  return rows[0]
}

/** Whether the account may become a member again without an invitation: it is there, and no other rule stands against it. */
export async function canReturn(db: Db, accountId: string, { entry }: Kept): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select not operates and (${isAddressProven}
      or (${entry} = 'opened' and not exists (select from memberships m where m.account_id = users.account_id))) as allowed
    from users where account_id = ${accountId} for no key update`.execute(db)
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
 * Gives a membership back as it was: role, roles of the organisation, groups by hand, and the services that are still offered
 * and have a free seat. A role that allows more by now is left out.
 */
export async function giveBack(db: Db, member: Member, kept: Kept): Promise<GivenBack> {
  const { accountId, organizationId } = member
  // Groups before seats, as whatever changes a group does.
  await sql`select from groups where organization_id = ${organizationId}
    and group_id = any (${kept.groups.map(({ groupId }) => groupId)}::uuid[]) order by group_id for share`.execute(db)
  await sql`
    insert into memberships (account_id, organization_id, user_role, entry, valid_from, valid_until, role_from, role_until)
    values (${accountId}, ${organizationId}, ${kept.userRole}, ${kept.entry}, ${kept.validFrom}::date,
      ${kept.validUntil}::date, ${kept.roleFrom}::date, ${kept.roleUntil}::date)`.execute(db)
  const roles = await giveRolesBack(db, member, kept)
  const withoutSeat = await giveServicesBack(db, member, kept)
  return { withoutSeat, roles, groups: await giveGroupsBack(db, member, kept) }
}

async function giveRolesBack(db: Db, { accountId, organizationId }: Member, { roles }: Kept): Promise<string[]> {
  // Nobody widens one meanwhile.
  await sql`select from organization_roles where role_id = any (${roles.map(({ roleId }) => roleId)}::uuid[])
    order by role_id for share`.execute(db)
  const { rows } = await sql<{ name: string }>`
    with wanted as (
      select w.*, r.name from jsonb_to_recordset(${JSON.stringify(roles)}::jsonb)
          as w ("roleKey" text, "roleId" uuid, "validFrom" date, "validUntil" date, permissions jsonb)
        left join organization_roles r on r.role_id = w."roleId" and r.organization_id = ${organizationId}
      where "roleKey" is not null
        or r.permissions <@ array(select jsonb_array_elements_text(w.permissions))
    ), given as (
      insert into role_grants (account_id, organization_id, role_key, role_id, valid_from, valid_until)
      select ${accountId}::uuid, ${organizationId}::uuid, "roleKey", "roleId", "validFrom", "validUntil" from wanted)
    select coalesce(name, "roleKey") as name from wanted order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

async function giveGroupsBack(db: Db, { accountId, organizationId }: Member, { groups }: Kept): Promise<string[]> {
  if (groups.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    with wanted as (
      select g.group_id, g.name, "validFrom", "validUntil"
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as w ("groupId" uuid, "validFrom" date, "validUntil" date)
        join groups g on g.group_id = w."groupId" and g.organization_id = ${organizationId}
    ), given as (
      insert into group_members (group_id, organization_id, account_id, valid_from, valid_until)
      select group_id, ${organizationId}::uuid, ${accountId}::uuid, "validFrom", "validUntil" from wanted order by 1)
    select name from wanted order by 1`.execute(db)
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
      -- The rows that count the seats, always in the same order.
      select o.service_id, o.max_number_of_users is null or o.seats_used < o.max_number_of_users as free
      from organization_services o
      where o.organization_id = ${organizationId} and o.service_id in (select "serviceId" from wanted)
      order by o.service_id for no key update
    ), given as (
      insert into service_assignments (account_id, organization_id, service_id, user_role, valid_from, valid_until)
      select ${accountId}::uuid, ${organizationId}::uuid, "serviceId", "userRole", "validFrom", "validUntil"
      from wanted join offered on offered.service_id = "serviceId" and free
      returning service_id
    )
    select "serviceId", exists (select from given where service_id = "serviceId") as given from wanted`.execute(db)
  await giveServiceRolesBack(db, member, kept)
  return rows.filter(({ given }) => !given).length
}

/** The service's own roles, one by one: one that is full or was removed by now is left out. */
const giveServiceRolesBack = (db: Db, { accountId, organizationId }: Member, kept: Kept) =>
  sql`select give_service_roles(${accountId}::uuid, ${organizationId}::uuid, ${JSON.stringify(kept.services.flatMap(({ roles }) => roles))}::jsonb)`.execute(
    db,
  )

/**
 * Whether what somebody had of power over others comes back: only while who makes the request may give all of it, without an end.
 * For a directory that is who made its token, or the set-up link of that (decision 0087).
 */
export async function mayRestorePower(
  db: Db,
  organizationId: string,
  { id, tokenId }: { id: string; tokenId: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select ${id}::uuid as decider where ${tokenId ?? null}::uuid is null
      union all
      select coalesce(t.created_by, s.made_by) from scim_tokens t left join saml_setups s using (setup_id)
        where t.token_id = ${tokenId ?? null} and t.organization_id = ${organizationId}) as decides
      cross join lateral held_until(decider, ${organizationId}, every_permission()) as h
    where h.until is null`.execute(db)
  return rows.length > 0
}

const hasPower = (permissions: readonly string[]) => powersOverOthers.some((one) => permissions.includes(one))

/** The same without what lets somebody decide what others may. Undefined where there is no such thing. */
export function withoutPower(kept: Kept): Kept | undefined {
  const { userRole, services, roles } = kept
  const powerless = {
    ...kept,
    ...{ userRole: 'regular' as const, roleFrom: null, roleUntil: null },
    services: services.map((one) => ({ ...one, userRole: 'regular' as const })),
    roles: roles.filter(({ permissions }) => !hasPower(permissions)),
  }
  const had = userRole !== 'regular' || services.some((one) => one.userRole !== 'regular')
  return had || powerless.roles.length < roles.length ? powerless : undefined
}
