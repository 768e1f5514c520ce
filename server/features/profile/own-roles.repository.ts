import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { namedPortalRole } from '#contract/organization-roles/role-labels.ts'
import type { PortalRole } from '#contract/portal-roles.ts'
import type { ownRoles } from '#contract/profile/own-roles.ts'
import type { Db } from '#server/platform/database/database.ts'

type Answer = z.infer<typeof ownRoles.read.answer>

/** Somebody's roles in the portal, also one that begins later. */
export async function listPortalRoles(db: Db, accountId: string): Promise<Answer['portal']> {
  const { rows } = await sql<{ portalRole: PortalRole | null; validFrom: string | null; validUntil: string | null }>`
    select g.role as "portalRole", valid_from::text as "validFrom", valid_until::text as "validUntil"
    from users u left join all_grants g on g.account_id = u.account_id and g.scope = 'portal'
    where u.account_id = ${accountId} and u.operates and coalesce(valid_until >= access_day(), true)`.execute(db)
  return rows.map(({ portalRole, ...days }) => ({
    ...(portalRole ? namedPortalRole(portalRole) : { role: 'superUser', name: null }),
    ...days,
  }))
}

const isNotOver = sql`coalesce(valid_until >= access_day(), true)`

// The role of the membership first, then those of the organisation by name, of services and of groups. One that is given by
// hand and by groups of the directory has the longest of their times. A role by hand and by
// groups of the directory is one, from its earliest day to its latest.
const roles = sql`(
  select json_agg(json_build_object('role', role, 'name', name, 'validFrom', valid_from::text, 'validUntil', valid_until::text)
    order by place, name, role)
  from (
    select 1 as place, case when x.role_until < access_day() then 'regular' else x.user_role end as role, null as name,
      case when coalesce(x.role_until >= access_day(), true) then x.role_from end as valid_from,
      case when x.role_until >= access_day() then x.role_until end as valid_until
    from memberships x where x.account_id = m.account_id and x.organization_id = m.organization_id
    union all
    select 2, h.role, h.name, nullif(min(coalesce(h.valid_from, '-infinity')), '-infinity'),
      nullif(max(coalesce(h.valid_until, 'infinity')), 'infinity')
    from all_held_roles h where h.account_id = m.account_id and h.organization_id = m.organization_id
      and coalesce(h.valid_until >= access_day(), true)
    group by h.role, h.name
    union all
    select 3, 'serviceAdmin', s.name, a.valid_from, a.valid_until from service_assignments a join services s using (service_id)
    where a.account_id = m.account_id and a.organization_id = m.organization_id and a.user_role = 'serviceAdmin'
    union all
    select 4, r.role, coalesce(s.name, g.name), r.valid_from, r.valid_until
    from all_grants r left join services s using (service_id) left join groups g using (group_id)
    where r.scope_id is not null and r.account_id = m.account_id and r.organization_id = m.organization_id) as own
  where ${isNotOver})`

// By hand, by groups, or both: whatever lasts longest.
const lastDayOfRole = sql`nullif(greatest(case when h.source = 'hand' then coalesce(h.valid_until, 'infinity') end, (
  select max(coalesce(g.valid_until, 'infinity')) from group_role_grants g where g.account_id = h.account_id
    and g.organization_id = h.organization_id and g.service_id = h.service_id and g.role_id = h.role_id)), 'infinity')`

const rolesOfServices = sql`(
  select coalesce(json_agg(json_build_object('serviceId', service_id, 'name', name, 'endsOn', ends_on::text, 'roles', held)
    order by name, service_id), '[]')
  from (
    select a.service_id, s.name, case when a.valid_until < coalesce(m.valid_until, 'infinity') then a.valid_until end as ends_on, (
      select coalesce(json_agg(json_build_object('roleId', role_id, 'validUntil', ${lastDayOfRole}::text,
        'nameSv', name_sv, 'nameEn', name_en, 'nameFi', name_fi, 'nameFr', name_fr) order by name_sv, role_id), '[]')
      from service_role_assignments h join service_roles r using (service_id, role_id)
        join current_service_roles c using (account_id, organization_id, service_id, role_id)
      where h.account_id = a.account_id and h.organization_id = a.organization_id and h.service_id = a.service_id) as held
    from current_assignments a join services s using (service_id)
    where a.account_id = m.account_id and a.organization_id = m.organization_id) as own
  where ends_on is not null or held::text <> '[]')`

/** Somebody's roles in these organisations, by name of the organisation. */
export async function listRolesIn(
  db: Db,
  accountId: string,
  organizationIds: readonly string[],
): Promise<Answer['organizations']> {
  const { rows } = await sql<Answer['organizations'][number]>`
    select organization_id as "organizationId", o.name, m.valid_until::text as "endsOn", ${roles} as roles,
      ${rolesOfServices} as services
    from current_memberships m join organizations o using (organization_id)
    where m.account_id = ${accountId} and m.organization_id = any (${organizationIds}::uuid[])
    order by o.name, organization_id`.execute(db)
  return rows
}
