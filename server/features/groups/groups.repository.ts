import { type RawBuilder, sql } from 'kysely'
import type { Group, GroupForm, GroupService } from '#contract/groups/groups.ts'
import { listServicesOfGroups } from '#server/accounts/group-access.repository.ts'
import { applyGroups } from '#server/accounts/group-access.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Change } from '#server/platform/database/versioned.ts'
import { newId } from '#server/platform/ids.ts'

type Key = Pick<Group, 'groupId' | 'organizationId'>

async function readGroups(db: Db, which: RawBuilder<unknown>): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select group_id as "groupId", organization_id as "organizationId", name, rule_attribute as "ruleAttribute",
      rule_value as "ruleValue", version,
      (select coalesce(json_agg(json_build_object('serviceId', s.service_id, 'roleIds', array(
          select r.role_id from group_service_roles r where r.group_id = s.group_id and r.service_id = s.service_id order by 1),
          'validFrom', s.valid_from, 'validUntil', s.valid_until) order by s.service_id), '[]')
        from group_services s where s.group_id = g.group_id) as services,
      (select count(distinct m.account_id)::integer from group_members m where m.group_id = g.group_id) as people,
      (select count(*)::integer from (select distinct account_id from group_members m where m.group_id = g.group_id) as m
        where exists (select from waiting_grants w where w.group_id = g.group_id and w.account_id = m.account_id offset 0)) as waiting
    from groups g where ${which} order by name, group_id`.execute(db)
  return rows
}

/** The groups of an organisation, or these of them, by name. */
export const listGroups = (db: Db, organizationId: string, groupIds?: readonly string[]) =>
  readGroups(
    db,
    sql`organization_id = ${organizationId}
      ${groupIds ? sql`and group_id = any (${groupIds as string[]}::uuid[])` : sql``}`,
  )

/** The names of the groups of an organisation. */
export const listNames = (db: Db, organizationId: string) =>
  db
    .selectFrom('groups')
    .select(['groupId', 'name'])
    .where('organizationId', '=', organizationId)
    .orderBy('name')
    .orderBy('groupId')
    .execute()

/** One group. */
export const findGroup = async (db: Db, groupId: string): Promise<Group | undefined> =>
  (await readGroups(db, sql`group_id = ${groupId}`))[0]

export const findOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name'])
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

export const lockOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizationId', 'name'])
    .where('organizationId', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** How many groups an organisation has. */
export async function countGroups(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('groups')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

/** The services of an organisation, of which none is removed until the transaction ends. */
export const lockOffered = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizationServices as o')
    .innerJoin('services as s', 's.serviceId', 'o.serviceId')
    .select(['o.serviceId', 's.name'])
    .where('o.organizationId', '=', organizationId)
    .orderBy('o.serviceId')
    .forKeyShare('o')
    .execute()

type Fields = Pick<GroupForm, 'name' | 'ruleAttribute' | 'ruleValue'>

export async function insertGroup(db: Db, organizationId: string, fields: Fields): Promise<string> {
  const groupId = newId()
  await db
    .insertInto('groups')
    .values({ groupId, organizationId, ...fields })
    .execute()
  return groupId
}

export const updateGroup = (db: Db, groupId: string, fields: Change<Fields>) =>
  db
    .updateTable('groups')
    .set({ ...fields, version: sql`version + 1` })
    .where('groupId', '=', groupId)
    .execute()

/** Deletes a group, and takes back what only it gave. */
export async function deleteGroup(db: Db, { groupId, organizationId }: Key): Promise<void> {
  const serviceIds = await listServicesOfGroups(db, [groupId])
  await db.deleteFrom('groups').where('groupId', '=', groupId).execute()
  await applyGroups(db, { organizationId, serviceIds })
}

/** Sets what a group gives. People get it, and lose it. */
export async function setGroupServices(
  db: Db,
  { groupId, organizationId }: Key,
  services: readonly GroupService[],
): Promise<void> {
  const serviceIds = services.map(({ serviceId }) => serviceId)
  const roles = services.flatMap(({ serviceId, roleIds }) => roleIds.map((roleId) => ({ groupId, serviceId, roleId })))
  const roleIds = roles.map(({ roleId }) => roleId)
  const { rows: gone } = await sql<{ id: string }>`
    with roles as (
      delete from group_service_roles where group_id = ${groupId} and role_id <> all (${roleIds}::uuid[]) returning service_id),
    services as (
      delete from group_services where group_id = ${groupId} and service_id <> all (${serviceIds}::uuid[]) returning service_id)
    select service_id as id from roles union select service_id from services`.execute(db)
  // First what goes: its seats may be what others wait for.
  await applyGroups(db, { organizationId, serviceIds: gone.map(({ id }) => id) })
  if (services.length === 0) return
  await db
    .insertInto('groupServices')
    .values(
      services.map(({ serviceId, validFrom, validUntil }) => ({
        ...{ groupId, organizationId, serviceId },
        ...dayColumns({ validFrom, validUntil }),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['groupId', 'serviceId']).doUpdateSet({
        validFrom: (given) => given.ref('excluded.validFrom'),
        validUntil: (given) => given.ref('excluded.validUntil'),
      }),
    )
    .execute()
  if (roles.length > 0)
    await db
      .insertInto('groupServiceRoles')
      .values(roles)
      .onConflict((conflict) => conflict.columns(['groupId', 'roleId']).doNothing())
      .execute()
  await applyGroups(db, { organizationId, serviceIds })
}

/** What ends with a group: its services, with the people who have them by it alone and ten of their addresses, and its admins. */
export async function readWhatEnds(db: Db, { groupId, people }: Pick<Group, 'groupId' | 'people'>) {
  const { rows } = await sql<{ name: string; people: number; emails: string[] }>`
    select s.name, count(distinct a.account_id)::integer as people, (array_agg(distinct m.email))[1:10] as emails
    from group_grants g join service_assignments a using (account_id, organization_id, service_id)
      join memberships m using (account_id, organization_id) join services s using (service_id)
    where g.group_id = ${groupId} and a.source is null and not exists (
      select from group_grants other where other.account_id = g.account_id and other.organization_id = g.organization_id
        and other.service_id = g.service_id and other.group_id <> g.group_id)
    group by s.service_id order by s.name, s.service_id`.execute(db)
  const groupAdmins = (await listGroupAdmins(db, groupId)).map(({ email }) => email)
  return { people, services: rows, groupAdmins }
}

/** Who puts people in a group beside those who manage it, also those whose days begin later. */
export const listGroupAdmins = (db: Db, groupId: string) =>
  db
    .selectFrom('allGrants as s')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.accountId', '=', 's.accountId').onRef('m.organizationId', '=', 's.organizationId'),
    )
    .select('m.email')
    .where('s.groupId', '=', groupId)
    .orderBy('m.email')
    .execute()
