import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { among, type Given, type Member, type Services, uuids } from './group-access.repository.ts'

/** Takes back the roles that no source gives any more. @returns the services in which there was one */
export async function takeBackRoles(
  db: Db,
  { organizationId, serviceIds }: Services,
  accountIds?: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from all_grants h
      where organization_id = ${organizationId} and in_service_id = any (${uuids(serviceIds)}) and source = 'group'
        ${among(accountIds)} and not exists (
          select from group_role_grants g where g.account_id = h.account_id and g.organization_id = h.organization_id
            and g.service_id = h.in_service_id and g.role_id = h.service_role_id offset 0)
      returning in_service_id)
    select distinct in_service_id as id from gone`.execute(db)
  return rows.map(({ id }) => id)
}

interface Role {
  roleId: string
  serviceId: string
  key: string
  excludes: string[]
  maxPeople: number | null
}

/** The roles that groups of an organisation give in these services. */
export async function listRolesOfGroups(db: Db, { organizationId, serviceIds }: Services): Promise<Role[]> {
  const { rows } = await sql<Role>`
    select role_id as "roleId", service_id as "serviceId", key, excludes, max_people as "maxPeople" from service_roles r
    where service_id = any (${uuids(serviceIds)}) and removed_at is null and exists (
      select from group_service_roles x join groups using (group_id)
      where x.service_id = r.service_id and x.role_id = r.role_id and organization_id = ${organizationId})
    order by key, role_id`.execute(db)
  return rows
}

/** Gives a role to those who wait for it and have its service, as far as its rules allow, in the order in which people came. */
export async function giveRole(
  db: Db,
  organizationId: string,
  { roleId, serviceId, key, excludes, maxPeople }: Role,
  accountIds?: readonly string[],
): Promise<Given[]> {
  const { rows } = await sql<Given>`
    insert into all_grants (account_id, organization_id, in_service_id, service_role_id, source)
    select account_id, ${organizationId}::uuid, ${serviceId}::uuid, ${roleId}::uuid, 'group'
    from (
      select account_id, row_number() over (order by min(since), account_id) as place
      from waiting_grants w
      where organization_id = ${organizationId} and service_id = ${serviceId} and role_id = ${roleId} ${among(accountIds)}
        and exists (
          select from service_assignments a
          where a.account_id = w.account_id and a.organization_id = ${organizationId} and a.service_id = ${serviceId} offset 0)
        and not exists (
          select from service_role_assignments h join service_roles other using (service_id, role_id)
          where h.account_id = w.account_id and h.organization_id = ${organizationId} and h.service_id = ${serviceId}
            and (other.key = any (${excludes}::text[]) or ${key} = any (other.excludes))
          offset 0)
      group by account_id
    ) as waiting
    where ${maxPeople}::integer is null or place <= ${maxPeople}::integer - (
      select count(*) from service_role_assignments
      where service_id = ${serviceId} and role_id = ${roleId} and organization_id = ${organizationId})
    on conflict do nothing
    returning account_id as "accountId", in_service_id as "serviceId", service_role_id as "roleId"`.execute(db)
  return rows
}

/** The roles that somebody has for themselves in a service are from now on theirs by groups alone. */
export const leaveRolesToGroups = (db: Db, { accountId, organizationId, serviceId }: Member & { serviceId: string }) =>
  sql`update all_grants set source = 'group', valid_from = null, valid_until = null
    where account_id = ${accountId} and organization_id = ${organizationId} and in_service_id = ${serviceId} and source = 'hand'`.execute(
    db,
  )
