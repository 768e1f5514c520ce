import { sql } from 'kysely'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { applyToMembers } from './group-access.ts'

/** Who put somebody in a group: an admin, the group's rule, or the organisation's directory. */
export type MemberSource = 'hand' | 'rule' | 'directory'

interface Group {
  groupId: string
  organizationId: string
}
/** First and last day in the group; what is left out stays. */
interface Days {
  validFrom?: string | null | undefined
  validUntil?: string | null | undefined
}

/**
 * Finds a group and locks it until the transaction ends: its people and what it gives change one after the other. Call it
 * before the functions below.
 */
export const lockGroup = (db: Db, groupId: string) =>
  db
    .selectFrom('groups')
    .select(['groupId', 'organizationId', 'name', 'ruleAttribute', 'ruleValue', 'version'])
    .where('groupId', '=', groupId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Puts members of the organisation in a group; others are left out. They get what it gives, as far as seats last. With days, those of people who are in it by this source are set too.
 *
 * @returns whom it has put in, or given other days
 */
export async function putInGroup(
  db: Db,
  { groupId, organizationId, source }: Group & { source: MemberSource },
  accountIds: readonly string[],
  { validFrom, validUntil }: Days = {},
): Promise<string[]> {
  const from = validFrom === undefined ? sql`g.valid_from` : sql`excluded.valid_from`
  const until = validUntil === undefined ? sql`g.valid_until` : sql`excluded.valid_until`
  const { rows } = await sql<{ accountId: string }>`
    insert into group_members as g (group_id, organization_id, account_id, source, valid_from, valid_until)
    select ${groupId}::uuid, organization_id, account_id, ${source}, ${validFrom ?? null}::date, ${validUntil ?? null}::date
    from memberships where organization_id = ${organizationId} and account_id = any (${accountIds as string[]}::uuid[])
    order by account_id
    on conflict (group_id, account_id, source) do update set valid_from = ${from}, valid_until = ${until}
      where (g.valid_from, g.valid_until) is distinct from (${from}, ${until})
    returning account_id as "accountId"`.execute(db)
  const changed = rows.map(({ accountId }) => accountId)
  await applyToMembers(db, { groupIds: [groupId], organizationId }, changed)
  if (changed.length > 0 && (validFrom || validUntil)) await endWithdrawnAccess(db, ...changed)
  return changed
}

/**
 * Takes people out of a group, and ends what only it gave them, also in their sessions.
 *
 * @param source only what this one gave; undefined: every source
 * @returns who was in it
 */
export async function takeFromGroup(
  db: Db,
  { groupId, organizationId, source }: Group & { source: MemberSource | undefined },
  accountIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    with gone as (
      delete from group_members where group_id = ${groupId} and account_id = any (${accountIds as string[]}::uuid[])
        ${source ? sql`and source = ${source}` : sql``}
      returning account_id)
    select distinct account_id as "accountId" from gone order by 1`.execute(db)
  const gone = rows.map(({ accountId }) => accountId)
  await applyToMembers(db, { groupIds: [groupId], organizationId }, gone)
  if (gone.length > 0) await endWithdrawnAccess(db, ...gone)
  return gone
}

/**
 * Sets who is in a group by a source, and leaves what other sources gave. People who are no members of the organisation are
 * left out.
 */
export async function setGroupMembers(
  db: Db,
  group: Group & { source: MemberSource },
  accountIds: readonly string[],
): Promise<{ added: string[]; removed: string[] }> {
  const present = await db
    .selectFrom('groupMembers')
    .select('accountId')
    .where('groupId', '=', group.groupId)
    .where('source', '=', group.source)
    .execute()
  const wanted = new Set(accountIds)
  const gone = present.flatMap(({ accountId }) => (wanted.has(accountId) ? [] : [accountId]))
  const removed = gone.length > 0 ? await takeFromGroup(db, group, gone) : []
  return { added: await putInGroup(db, group, accountIds), removed }
}

/** Takes a person out of the groups that give one of these services. @returns the names of the groups */
export async function leaveGroupsThatGive(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
  serviceIds: readonly string[],
): Promise<string> {
  const { rows } = await sql<{ groupId: string; name: string }>`
    select distinct g.group_id as "groupId", g.name from group_grants x join groups g using (group_id)
    where x.account_id = ${accountId} and x.organization_id = ${organizationId}
      and x.service_id = any (${serviceIds as string[]}::uuid[]) order by 2`.execute(db)
  for (const { groupId } of rows.toSorted((one, other) => (one.groupId < other.groupId ? -1 : 1)))
    await lockGroup(db, groupId)
  for (const { groupId } of rows) await takeFromGroup(db, { groupId, organizationId, source: undefined }, [accountId])
  return rows.map(({ name }) => name).join(', ')
}

/**
 * Takes out whom rules have put in groups of an organisation: they ask its own sign-in, and with another one nobody is there
 * who could answer them.
 *
 * @returns them, with their groups
 */
export async function endPeopleByRules(db: Db, organizationId: string) {
  const { rows } = await sql<{ accountId: string; email: string; groups: string }>`
    select m.account_id as "accountId", p.email, string_agg(g.name, ', ' order by g.name) as groups
    from group_members m join groups g using (group_id, organization_id) join memberships p using (account_id, organization_id)
    where m.organization_id = ${organizationId} and m.source = 'rule' group by m.account_id, p.email order by p.email`.execute(
    db,
  )
  const { rows: left } = await sql<{ groupId: string; accountId: string }>`
    delete from group_members where organization_id = ${organizationId} and source = 'rule'
    returning group_id as "groupId", account_id as "accountId"`.execute(db)
  const groupIds = [...new Set(left.map(({ groupId }) => groupId))]
  const accountIds = rows.map(({ accountId }) => accountId)
  await applyToMembers(db, { groupIds, organizationId }, accountIds)
  if (accountIds.length > 0) await endWithdrawnAccess(db, ...accountIds)
  return rows
}
