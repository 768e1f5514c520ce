import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Some services of an organisation. */
export interface Services {
  organizationId: string
  serviceIds: readonly string[]
}
/** Somebody in an organisation. */
export interface Member {
  accountId: string
  organizationId: string
}
/** A service that somebody got, or a role in it. */
export interface Given {
  accountId: string
  serviceId: string
  roleId: string | null
}

export const uuids = (ids: readonly string[]) => sql`${ids as string[]}::uuid[]`
/** Those of an organisation, or these of them. One is found by an index, thousands are not: each is planned for. */
export const among = (accountIds: readonly string[] | undefined) =>
  accountIds ? sql`and account_id = any (${uuids(accountIds)})` : sql``

/** Locks what counts the seats, and the rules of roles: those who hand out a service take turns, and see what the others did. */
export async function lockSeats(db: Db, { organizationId, serviceIds }: Services): Promise<void> {
  await sql`select from organization_services
    where organization_id = ${organizationId} and service_id = any (${uuids(serviceIds)})
    order by service_id for no key update`.execute(db)
  await sql`select from service_roles where service_id = any (${uuids(serviceIds)}) order by role_id for share`.execute(
    db,
  )
}

/** The services that groups give. */
export async function listServicesOfGroups(db: Db, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct service_id as id from group_services where group_id = any (${uuids(groupIds)})`.execute(db)
  return rows.map(({ id }) => id)
}

/** The services that groups give to a member. */
export async function listGranted(db: Db, { accountId, organizationId }: Member): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct service_id as id from group_grants
    where account_id = ${accountId} and organization_id = ${organizationId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of the services that some group gives. */
export async function onlyByGroups(db: Db, { organizationId, serviceIds }: Services): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct service_id as id from group_services
    where organization_id = ${organizationId} and service_id = any (${uuids(serviceIds)})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of what somebody has, the services that groups give, too, by organisation. Nobody gives them more until the transaction ends. */
export async function lockHeldByGroups(db: Db, accountId: string, organizationId?: string): Promise<Services[]> {
  const there = organizationId ? sql`and organization_id = ${organizationId}` : sql``
  await sql`select from memberships where account_id = ${accountId} ${there} order by organization_id for update`.execute(
    db,
  )
  const { rows } = await sql<Services>`
    select organization_id as "organizationId", array_agg(distinct service_id) as "serviceIds"
    from service_assignments join group_services using (organization_id, service_id)
    where account_id = ${accountId} ${there} group by organization_id order by organization_id`.execute(db)
  return rows
}

/** The organisations in which somebody waits for a service, or for a role in it. */
export async function listOrganizationsThatWait(db: Db, serviceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct organization_id as id from waiting_grants where service_id = ${serviceId} order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes back the services that no source gives any more. @returns those of which there was one */
export async function takeBackServices(
  db: Db,
  { organizationId, serviceIds }: Services,
  accountIds?: readonly string[],
): Promise<string[]> {
  // "offset 0" looks once for each person: a join, planned while the tables were smaller, compared each with everybody.
  // The new version: a form of before would hand out by hand what a group gave.
  const { rows } = await sql<{ id: string }>`
    with gone as (
      delete from service_assignments a
      where organization_id = ${organizationId} and service_id = any (${uuids(serviceIds)}) and source is null
        ${among(accountIds)} and not exists (
          select from group_grants g
          where g.account_id = a.account_id and g.organization_id = a.organization_id and g.service_id = a.service_id offset 0)
      returning account_id, service_id),
    other_memberships as (
      update memberships set version = version + 1
      where organization_id = ${organizationId} and account_id in (select account_id from gone)),
    other_people as (update users set version = version + 1 where account_id in (select account_id from gone))
    select distinct service_id as id from gone`.execute(db)
  return rows.map(({ id }) => id)
}

/** Gives the services that wait, as far as seats last, in the order in which people came. */
export async function giveServices(
  db: Db,
  { organizationId, serviceIds }: Services,
  accountIds?: readonly string[],
): Promise<Given[]> {
  const { rows } = await sql<Given>`
    insert into service_assignments (account_id, organization_id, service_id, source)
    select account_id, ${organizationId}::uuid, service_id, null
    from (
      select account_id, service_id, row_number() over (partition by service_id order by min(since), account_id) as place
      from waiting_grants join memberships using (account_id, organization_id)
      where organization_id = ${organizationId} and service_id = any (${uuids(serviceIds)}) and role_id is null
        ${among(accountIds)}
      group by account_id, service_id
    ) as waiting join organization_services o using (service_id)
    where o.organization_id = ${organizationId} and (o.max_number_of_users is null or place <= o.max_number_of_users - o.seats_used)
    on conflict do nothing
    returning account_id as "accountId", service_id as "serviceId", null as "roleId"`.execute(db)
  return rows
}

/** What somebody has for themselves is from now on theirs by groups alone. @returns false where no group gives it */
export async function leaveServiceToGroups(
  db: Db,
  { accountId, organizationId, serviceId }: Member & { serviceId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update service_assignments a set source = null, user_role = 'regular', valid_from = null, valid_until = null
    where a.account_id = ${accountId} and a.organization_id = ${organizationId} and a.service_id = ${serviceId} and exists (
      select from group_grants g where g.account_id = ${accountId} and g.organization_id = ${organizationId}
        and g.service_id = ${serviceId})`.execute(db)
  return numAffectedRows > 0n
}

export const deleteAssignment = (db: Db, { accountId, organizationId, serviceId }: Member & { serviceId: string }) =>
  db
    .deleteFrom('serviceAssignments')
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .where('serviceId', '=', serviceId)
    .execute()

/** Who got what, by service, in words: addresses with the keys of roles. */
export async function describeGiven(db: Db, organizationId: string, given: readonly Given[]) {
  const { rows } = await sql<{ serviceId: string; name: string; organization: string; people: string[]; now: Date }>`
    select s.service_id as "serviceId", s.name, o.name as organization, array_agg(person order by person) as people, now()
    from (
        select g."serviceId" as service_id,
          (m.email || coalesce(' [' || string_agg(r.key, ', ' order by r.key) || ']', '')) collate "C" as person
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g ("accountId" uuid, "serviceId" uuid, "roleId" uuid)
          join memberships m on m.account_id = g."accountId" and m.organization_id = ${organizationId}
          left join service_roles r on r.role_id = g."roleId"
        group by 1, m.account_id, m.email) as people
      join services s using (service_id) join organizations o on o.organization_id = ${organizationId}
    group by s.service_id, o.name order by s.service_id`.execute(db)
  return rows
}
