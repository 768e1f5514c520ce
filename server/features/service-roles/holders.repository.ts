import { sql } from 'kysely'
import { giveFreeSeats } from '#server/accounts/group-access.ts'
import type { Db } from '#server/platform/database/database.ts'

export interface Place {
  /** Of a person, or of an invitation. */
  userId: string
  organizationId: string
}
export interface Holder extends Place {
  serviceId: string
}

/** A member, or somebody with an open invitation. */
export interface FoundHolder {
  email: string
  invited: boolean
}

/**
 * Finds somebody of the organisation.
 *
 * @param lock their row until the transaction ends
 */
export async function findHolder(
  db: Db,
  { userId, organizationId }: Place,
  { lock = false } = {},
): Promise<FoundHolder | undefined> {
  const member = await db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.accountId', 'u.accountId')
    .select('u.email')
    .where('u.accountId', '=', userId)
    .where('m.organizationId', '=', organizationId)
    .$if(lock, (query) => query.forNoKeyUpdate('u'))
    .executeTakeFirst()
  if (member) return { ...member, invited: false }
  const invitation = await db
    .selectFrom('invitations')
    .select('email')
    .where('invitationId', '=', userId)
    .where('organizationId', '=', organizationId)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return invitation && { ...invitation, invited: true }
}

/** A role that somebody has, or is promised, with its days. */
export interface Held {
  serviceId: string
  roleId: string
  validFrom: string | null
  validUntil: string | null
}

/** The roles of a member or an invitation in an organisation's services. */
export async function listHeld(db: Db, { userId, organizationId }: Place) {
  const { rows } = await sql<Held>`
    select service_id as "serviceId", role_id as "roleId", valid_from::text as "validFrom", valid_until::text as "validUntil"
      from service_role_assignments where account_id = ${userId} and organization_id = ${organizationId}
    union all select p.service_id, p.role_id, null, null from invitation_service_roles p join invitations i using (invitation_id)
      where invitation_id = ${userId} and i.organization_id = ${organizationId}
    order by 1, 2`.execute(db)
  return rows
}

/** Of a member's roles in a service, those that groups alone give. */
export async function listHeldByGroups(db: Db, { userId, organizationId, serviceId }: Holder): Promise<string[]> {
  const { rows } = await sql<{ roleId: string }>`
    select role_id as "roleId" from service_role_assignments
    where account_id = ${userId} and organization_id = ${organizationId} and service_id = ${serviceId} and source = 'group'`.execute(
    db,
  )
  return rows.map(({ roleId }) => roleId)
}

/** The service, for somebody who has it or is promised it. */
export const findHeldService = async (db: Db, { userId, organizationId, serviceId }: Holder) => {
  const { rows } = await sql<{ name: string }>`
    select name from services where service_id = ${serviceId} and (
      exists (select from service_assignments a where a.account_id = ${userId} and a.organization_id = ${organizationId}
        and a.service_id = services.service_id)
      or exists (select from invitation_services p where p.invitation_id = ${userId}
        and p.organization_id = ${organizationId} and p.service_id = services.service_id))`.execute(db)
  return rows[0]
}

/** The services that somebody has in an organisation, or is promised. */
export const listHeldServices = async (db: Db, { userId, organizationId }: Place) => {
  const { rows } = await sql<{ serviceId: string }>`
    select service_id as "serviceId" from service_assignments
      where account_id = ${userId} and organization_id = ${organizationId}
    union all select service_id from invitation_services
      where invitation_id = ${userId} and organization_id = ${organizationId}`.execute(db)
  return rows
}

/** Sets the roles of a member in one service. The database checks limits and exclusions. */
export async function setHeld(
  db: Db,
  { userId, organizationId, serviceId }: Holder,
  held: readonly Pick<Held, 'roleId' | 'validFrom' | 'validUntil'>[],
  givenBy: string,
) {
  const roleIds = held.map(({ roleId }) => roleId)
  // First what goes, so that one role can be changed for another that excludes it. What a group gives, too, stays.
  const { numAffectedRows = 0n } = await sql`
    delete from all_grants where account_id = ${userId} and organization_id = ${organizationId}
      and in_service_id = ${serviceId} and source = 'hand' and service_role_id <> all (${roleIds as string[]}::uuid[])`.execute(
    db,
  )
  if (numAffectedRows > 0n) await giveFreeSeats(db, { organizationId, serviceIds: [serviceId] })
  await sql`insert into all_grants as h
      (account_id, organization_id, in_service_id, given_by, service_role_id, valid_from, valid_until)
    select ${userId}::uuid, ${organizationId}::uuid, ${serviceId}::uuid, ${givenBy}::uuid, given.*
    from unnest(${roleIds}::uuid[], ${held.map(({ validFrom }) => validFrom)}::date[],
      ${held.map(({ validUntil }) => validUntil)}::date[]) as given
    on conflict on constraint grant_once do update set valid_from = excluded.valid_from, valid_until = excluded.valid_until,
        source = 'hand', given_by = excluded.given_by
      where (h.valid_from, h.valid_until) is distinct from (excluded.valid_from, excluded.valid_until)`.execute(db)
}

/** The roles with a last day until that one, of some members of an organisation, past ones included. */
export async function listEndingRoles(
  db: Db,
  { organizationId, soon }: { organizationId: string; soon: string },
  accountIds: readonly string[],
): Promise<(Held & { accountId: string; validUntil: string })[]> {
  const { rows } = await sql<Held & { accountId: string; validUntil: string }>`
    select account_id as "accountId", service_id as "serviceId", role_id as "roleId", valid_from::text as "validFrom",
      valid_until::text as "validUntil"
    from service_role_assignments where organization_id = ${organizationId} and valid_until <= ${soon}::date
      and account_id = any (${accountIds as string[]}::uuid[]) order by service_id, role_id`.execute(db)
  return rows
}

/** The same for what an invitation promises. */
export async function setPromised(
  db: Db,
  { userId, serviceId }: Holder,
  roleIds: readonly string[],
  promisedBy: string,
) {
  await sql`delete from invitation_service_roles where invitation_id = ${userId} and service_id = ${serviceId}
    and role_id <> all (${roleIds as string[]}::uuid[])`.execute(db)
  await sql`insert into invitation_service_roles (invitation_id, service_id, role_id, promised_by)
    select ${userId}::uuid, ${serviceId}::uuid, unnest(${roleIds as string[]}::uuid[]), ${promisedBy}::uuid
    on conflict do nothing`.execute(db)
}

/** Those of some people and invitations who have a role, or are promised it. */
export async function findHoldersAmong(
  db: Db,
  { organizationId, roleId }: { organizationId: string; roleId: string },
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from service_role_assignments where role_id = ${roleId}
      and organization_id = ${organizationId} and account_id = any (${userIds as string[]}::uuid[])
    union all select invitation_id from invitation_service_roles p join invitations i using (invitation_id)
      where role_id = ${roleId} and i.organization_id = ${organizationId} and invitation_id = any (${userIds as string[]}::uuid[])`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The keys of the roles that people have, or invitations promise them, by service; in one organisation, or in any. */
export async function listRoleKeys(
  db: Db,
  userIds: readonly string[],
  organizationId?: string,
): Promise<(userId: string) => ReadonlyMap<string, string[]>> {
  const there = organizationId ? sql`and organization_id = ${organizationId}` : sql``
  const { rows } = await sql<{ id: string; serviceId: string; keys: string[] }>`
    select id, service_id as "serviceId", array_agg(distinct r.key) as keys from (
      select account_id as id, service_id, role_id from service_role_assignments
        where account_id = any (${userIds as string[]}::uuid[]) ${there}
      union all select invitation_id, p.service_id, role_id from invitation_service_roles p join invitations using (invitation_id)
        where invitation_id = any (${userIds as string[]}::uuid[]) ${there}) as held
      join service_roles r using (service_id, role_id)
    group by 1, 2`.execute(db)
  const byPerson = Map.groupBy(rows, ({ id }) => id)
  return (userId) => new Map(byPerson.get(userId)?.map(({ serviceId, keys }) => [serviceId, keys]))
}
