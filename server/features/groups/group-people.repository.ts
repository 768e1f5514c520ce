import { sql } from 'kysely'
import type { GroupMember, GroupOfPerson } from '#contract/groups/group-people.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { containsPattern, type Page, toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { parseSearchTerms } from '#server/platform/database/search.ts'

/** The services, by name, that a group would give to somebody if a seat were free, or a role if its rules allowed it. */
const waitsFor = sql<string[]>`array(
  select distinct s.name from waiting_grants w join services s using (service_id)
  where w.group_id = m.group_id and w.account_id = m.account_id order by 1)`

const inGroup = sql`array_agg(m.source order by m.source) as sources,
  (min(m.valid_from) filter (where m.source = 'hand'))::text as "validFrom",
  (min(m.valid_until) filter (where m.source = 'hand'))::text as "validUntil"`

/** A page of the people in a group, and of those who are invited to it, by address. */
export async function listPeople(
  db: Db,
  groupId: string,
  query: Page & { searchQuery: string; sortDirection: 'asc' | 'desc' },
  itemsPerPage: number,
): Promise<{ totalCount: number; items: GroupMember[] }> {
  const { offset, limit } = toOffsetAndLimit(query, itemsPerPage)
  const words = (parseSearchTerms(query.searchQuery)?.words ?? []).map(
    (word) => sql`folded(concat_ws(' ', "firstName", "lastName", email)) collate "C" like ${containsPattern(word)}`,
  )
  const order = query.sortDirection === 'desc' ? sql`desc` : sql`asc`
  const { rows } = await sql<GroupMember & { total: number }>`
    with people as (
      select m.account_id as "accountId", p.email, p.first_name as "firstName", p.last_name as "lastName", false as pending,
        m.group_id, ${inGroup}
      from group_members m join memberships p using (account_id, organization_id)
      where m.group_id = ${groupId} group by m.group_id, m.account_id, p.email, p.first_name, p.last_name
      union all select i.invitation_id, i.email collate "sv-x-icu", i.first_name, i.last_name, true, p.group_id, '{}',
        p.valid_from::text, p.valid_until::text
      from invitation_groups p join invitations i using (invitation_id) where p.group_id = ${groupId}
    ), found as (select *, (count(*) over ())::integer as total from people where ${sql.join([sql`true`, ...words], sql` and `)}
      order by email ${order}, "accountId" offset ${offset} limit ${limit})
    select "accountId", email, "firstName", "lastName", pending, sources, "validFrom", "validUntil", total,
      ${waitsFor} as "waitsFor"
    from (select *, "accountId" as account_id from found) as m order by email ${order}, "accountId"`.execute(db)
  return {
    totalCount: rows[0]?.total ?? (await countPeople(db, groupId, query)),
    items: rows.map(({ total: _, ...row }) => row),
  }
}

// A page past the end has no rows that could say how many there are.
const countPeople = async (
  db: Db,
  groupId: string,
  query: Page & { searchQuery: string; sortDirection: 'asc' | 'desc' },
) => (query.page > 1 ? (await listPeople(db, groupId, { ...query, page: 1 }, 1)).totalCount : 0)

/** The groups of a member of an organisation, or those that an invitation promises. */
export async function listGroupsOf(
  db: Db,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<GroupOfPerson[]> {
  const { rows } = await sql<GroupOfPerson>`
    with mine as (
      select m.group_id, m.account_id, ${inGroup} from group_members m
      where m.account_id = ${userId} and m.organization_id = ${organizationId} group by m.group_id, m.account_id
      union all select group_id, invitation_id, '{}', valid_from::text, valid_until::text from invitation_groups
      where invitation_id = ${userId} and organization_id = ${organizationId})
    select m.group_id as "groupId", g.name, m.sources, m."validFrom", m."validUntil", ${waitsFor} as "waitsFor",
      array(select s.service_id from group_services s where s.group_id = m.group_id) as "serviceIds"
    from mine m join groups g using (group_id) order by g.name, m.group_id`.execute(db)
  return rows
}

/**
 * Those of the ids that are members of a group's organisation, and those that are invitations to it, by address: whether an
 * admin has put them in the group, or its rule or a directory.
 */
export async function findPeople(
  db: Db,
  { groupId, organizationId }: { groupId: string; organizationId: string },
  ids: readonly string[],
) {
  const { rows } = await sql<{ id: string; email: string; invited: boolean; isIn: boolean; isInOtherwise: boolean }>`
    select m.account_id as id, email, false as invited, coalesce(bool_or(g.source = 'hand'), false) as "isIn",
      coalesce(bool_or(g.source <> 'hand'), false) as "isInOtherwise"
    from memberships m left join group_members g on g.account_id = m.account_id and g.group_id = ${groupId}
    where m.organization_id = ${organizationId} and m.account_id = any (${ids as string[]}::uuid[])
    group by m.account_id, email
    union all select invitation_id, email collate "sv-x-icu", true,
      exists (select from invitation_groups p where p.invitation_id = i.invitation_id and p.group_id = ${groupId}), false
    from invitations i where organization_id = ${organizationId} and invitation_id = any (${ids as string[]}::uuid[])
    order by 2`.execute(db)
  return rows
}

/** Everybody in a group, by address. */
export async function listMembers(db: Db, groupId: string, source?: 'rule') {
  const { rows } = await sql<{ accountId: string; email: string }>`
    select distinct m.account_id as "accountId", p.email from group_members m join memberships p using (account_id, organization_id)
    where m.group_id = ${groupId} ${source ? sql`and m.source = ${source}` : sql``} order by 2`.execute(db)
  return rows
}

/** Something that ends for somebody by a group. */
export interface EndingInGroup {
  accountId: string
  email: string
  groupId: string
  /** The days of the person in the group, by hand; otherwise those of a service of the group, for everybody. */
  ofPerson: boolean
  validUntil: string
}

/** The days of some people in groups, and of services there, with a last day until some day. */
export async function listEnding(
  db: Db,
  { organizationId, soon }: { organizationId: string; soon: string },
  accountIds: readonly string[],
): Promise<EndingInGroup[]> {
  const { rows } = await sql<EndingInGroup>`
    with ending as (
      select m.account_id, m.group_id, true as of_person, m.valid_until from group_members m where m.source = 'hand'
      union all select m.account_id, m.group_id, false, min(s.valid_until)
        from group_members m join group_services s using (group_id, organization_id) group by m.account_id, m.group_id)
    select e.account_id as "accountId", p.email, e.group_id as "groupId", e.of_person as "ofPerson", e.valid_until::text as "validUntil"
    from ending e join memberships p using (account_id)
    where p.organization_id = ${organizationId} and e.account_id = any (${accountIds as string[]}::uuid[])
      and e.valid_until <= ${soon}::date
      and exists (select from groups g where g.group_id = e.group_id and g.organization_id = ${organizationId})
    order by e.group_id, e.of_person`.execute(db)
  return rows
}

interface Days {
  validFrom?: string | null | undefined
  validUntil?: string | null | undefined
}
interface Promised {
  groupId: string
  organizationId: string
}

/** Lets invitations promise a group; with days, those of who is promised it are set too. */
export async function promiseGroup(
  db: Db,
  { groupId, organizationId, promisedBy }: Promised & { promisedBy: string },
  invitationIds: readonly string[],
  { validFrom, validUntil }: Days,
): Promise<void> {
  if (invitationIds.length === 0) return
  const days = dayColumns({ validFrom, validUntil })
  await db
    .insertInto('invitationGroups')
    .values(invitationIds.map((invitationId) => ({ invitationId, organizationId, groupId, promisedBy, ...days })))
    .onConflict((conflict) => conflict.columns(['invitationId', 'groupId']).doUpdateSet({ promisedBy, ...days }))
    .execute()
}

/** Takes a group out of invitations. @returns those that promised it */
export async function withdrawGroup(db: Db, groupId: string, invitationIds: readonly string[]): Promise<string[]> {
  if (invitationIds.length === 0) return []
  const rows = await db
    .deleteFrom('invitationGroups')
    .where('groupId', '=', groupId)
    .where('invitationId', 'in', invitationIds)
    .returning('invitationId')
    .execute()
  return rows.map(({ invitationId }) => invitationId)
}
