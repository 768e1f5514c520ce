import { sql } from 'kysely'
import type { PersonTarget } from '#contract/actor.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { heldRoles, scopedRoles } from '#server/accounts/roles.repository.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { invitedLoginMethod } from './invitation-filters.repository.ts'
import { ofShared } from './shared-person.ts'
import { belongsElsewhere } from './user-filters.repository.ts'
import { targetOf } from './visible-user.ts'

/** What a list shows of people; undefined means everything. */
export interface SummaryScope {
  /** Organisations to show. */
  organizationIds?: readonly string[]
  /** Organisations whose people's details the reader sees, also where the list is of everybody. For people who also belong elsewhere, they are not shown. */
  administeredIds?: readonly string[]
  servicesIn?: { organizationId: string; serviceIds?: readonly string[] }
  showsSuperUser: (person: { accountId: string }) => boolean
  /** Whether the reader may change the person: the question that the call asks. True for who may change everybody. */
  mayEdit: true | ((person: PersonTarget) => boolean)
}

interface Row extends Omit<UserSummary, 'lastLogin' | 'lastActive' | 'emailRefusedAt' | 'editable'> {
  isShared: boolean
  operates: boolean
  /** All that the person has, also out of the reader's sight; null for an invitation, which nobody changes as a person. */
  has: Pick<PersonTarget, 'organizations' | 'services'> | null
  lastLogin: Date | null
  lastActive: Date | null
  emailRefusedAt: Date | null
}

/** The rows of a list in the order of the ids: people and open invitations. */
export async function listSummaries(db: Db, ids: readonly string[], scope: SummaryScope): Promise<UserSummary[]> {
  if (ids.length === 0) return []
  const people = await listPeople(db, ids, scope)
  // Most pages show accounts alone.
  const rows = people.length === ids.length ? people : [...people, ...(await listInvited(db, ids))]
  const byId = new Map(rows.map((row) => [row.accountId, row]))
  // A person may have been deleted since the ids were read.
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { lastLogin, lastActive, emailRefusedAt, isShared, operates, has, organizations, ...rest } = row
    const seesOperator = scope.showsSuperUser(row)
    const summary: UserSummary = {
      ...rest,
      organizations: organizations.map(({ roles, ...place }) => ({ ...place, ...(roles && { roles }) })),
      superUser: row.superUser && seesOperator,
      portalRole: seesOperator ? row.portalRole : null,
      editable: has !== null && (scope.mayEdit === true || scope.mayEdit(targetOf({ ...row, ...has }))),
      emailRefusedAt: emailRefusedAt?.toISOString() ?? null,
      lastLogin: lastLogin?.toISOString() ?? null,
      lastActive: lastActive?.toISOString() ?? null,
    }
    return [isShared ? ofShared(summary) : summary]
  })
}

/** Hides the length of an array from the planner, which would otherwise plan the statement again for each call. */
const hidden = (ids: readonly string[]) => sql`(select ${ids}::uuid[])::uuid[]`

async function listPeople(
  db: Db,
  ids: readonly string[],
  { organizationIds, administeredIds, servicesIn, mayEdit }: SummaryScope,
): Promise<Row[]> {
  const inSight = organizationIds ? sql`and organization_id = any (${hidden(organizationIds)})` : sql``
  const serviceIds = servicesIn?.serviceIds ? sql`and service_id = any (${hidden(servicesIn.serviceIds)})` : sql``
  const ofOrganization = servicesIn ? sql`and a.organization_id = ${servicesIn.organizationId} ${serviceIds}` : sql``
  const ofGroups = administeredIds ? sql`and g.organization_id = any (${hidden(administeredIds)}) ${inSight}` : inSight
  const statement = sql<Row>`
    select users.account_id as "accountId", email, first_name as "firstName", last_name as "lastName",
      super_user as "superUser", case when has_portal_role then (
        select role from all_grants g where g.account_id = users.account_id and g.organization_id is null) end as "portalRole", operates, false as pending, pending as "awaitsSignIn", passive_at is not null as passive,
      login_method as "loginMethod", phone_number as "phoneNumber", preferred_language as "preferredLanguage",
      saml_config_id as "samlConfigId", last_login as "lastLogin", last_active as "lastActive",
      max_passive_days as "maxPassiveDays", ${belongsElsewhere(sql`users.account_id`, administeredIds, organizationIds === undefined)} as "isShared",
      ${isAddressProven} as "emailProven",
      (select refused_at from refused_addresses where address = users.email) as "emailRefusedAt",
      ${mayEdit !== true ? everything : sql`'{"organizations": [], "services": []}'::json`} as has,
      (select coalesce(json_agg(json_build_object('organizationId', organization_id, 'name', name,
          'userRole', user_role, 'roles', ${heldRoles('allHeldRoles')}) order by name, organization_id), '[]')
        from memberships m join organizations using (organization_id)
        where m.account_id = users.account_id ${inSight}) as organizations,
      (select coalesce(json_agg(json_build_object('serviceId', service_id, 'name', name,
          'userRole', user_role) order by name, service_id), '[]')
        from services join (
          select service_id, max(user_role) as user_role from service_assignments a
          where a.account_id = users.account_id ${ofOrganization} group by service_id) own using (service_id)
      ) as services,
      (select coalesce(json_agg(json_build_object('groupId', group_id, 'name', name) order by name, group_id), '[]')
        from groups where group_id in (
          select group_id from group_members g where g.account_id = users.account_id ${ofGroups})) as groups,
      (select min(day)::text from (
        select least(valid_until, role_until) as day from memberships m where m.account_id = users.account_id ${inSight}
        union all select valid_until from assignment_ends a
        where a.account_id = users.account_id ${ofOrganization} ${inSight}
        union all select valid_until from service_role_assignments a
        where a.account_id = users.account_id ${ofOrganization} ${inSight}
        union all select valid_until from role_ends a where a.account_id = users.account_id ${inSight}) as ends) as "endsOn"
    from users
    where users.account_id = any (${hidden(ids)})`
  // The plan is the same whatever the ids are, and making it takes as long as the query itself.
  return (await executePrepared(db, statement)).rows
}

/** Super users may change everybody: what people have is not read. */
const everything = sql`json_build_object(
  'organizations', (select coalesce(json_agg(json_build_object('organizationId', organization_id, 'userRole', user_role,
      'roles', ${heldRoles('allHeldRoles')}, 'scoped', ${scopedRoles({ today: false })})), '[]') from memberships m where m.account_id = users.account_id),
  'services', (select coalesce(json_agg(json_build_object('organizationId', organization_id, 'serviceId', service_id,
      'userRole', user_role)), '[]') from service_assignments a where a.account_id = users.account_id))`

async function listInvited(db: Db, ids: readonly string[]): Promise<Row[]> {
  const statement = sql<Row>`
    select invitation_id as "accountId", email, first_name as "firstName", last_name as "lastName",
      organization_id is null as "superUser", null as "portalRole", false as operates, null as has, true as pending, false as "awaitsSignIn",
      false as passive, false as "isShared", null as "emailProven", ${invitedLoginMethod} as "loginMethod", null as "phoneNumber", null as "preferredLanguage",
      (select refused_at from refused_addresses where address = i.email and refused_at >= i.sent_at) as "emailRefusedAt",
      valid_until::text as "endsOn", null as "samlConfigId", null as "lastLogin", null as "lastActive", null as "maxPassiveDays",
      (select coalesce(json_agg(json_build_object('organizationId', organization_id, 'name', name,
          'userRole', i.user_role)), '[]')
        from organizations where organizations.organization_id = i.organization_id) as organizations,
      (select coalesce(json_agg(json_build_object('serviceId', service_id, 'name', name,
          'userRole', p.user_role) order by name, service_id), '[]')
        from services join invitation_services p using (service_id) where p.invitation_id = i.invitation_id) as services,
      (select coalesce(json_agg(json_build_object('groupId', group_id, 'name', name) order by name, group_id), '[]')
        from groups join invitation_groups p using (group_id) where p.invitation_id = i.invitation_id) as groups
    from invitations i where invitation_id = any (${hidden(ids)})`
  return (await executePrepared(db, statement)).rows
}
