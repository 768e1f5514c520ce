import { type RawBuilder, sql } from 'kysely'
import { loadCommonGrams } from '#server/platform/database/common-grams.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Page, readFromNearerEnd, toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { matchesWords, parseSearchTerms, type SearchTerms } from '#server/platform/database/search.ts'
import { loadSearchPage, type ResultPage } from '#server/platform/database/search-page.ts'
import { searchAllUsers } from './search-all-users.ts'

/** The query of a list. */
export interface ListQuery extends Page {
  sort: 'email' | 'firstName' | 'lastName'
  sortDirection: 'asc' | 'desc'
}

interface List {
  db: Db
  query: ListQuery
  itemsPerPage: number
}

const keyword = { asc: sql`asc`, desc: sql`desc` }
const totalUsers = sql<number>`(select sum(users)::bigint from list_counts)`

/** A page of all users. */
export async function listAllUsers(list: List): Promise<ResultPage> {
  const terms = parseSearchTerms(list.query.searchQuery)
  const { sort } = list.query
  if (!terms) return inOrder(list, totalUsers, [sql`select account_id as id, ${sql.ref(sort)} as place from directory`])
  const hits = searchAllUsers(terms, { common: await loadCommonGrams(list.db), sort })
  return loadSearchPage({ ...list, hits, cacheKey: ['everybody', terms.words] })
}

/** A page of an organisation's members and invited people. */
export function listOrganizationPeople(list: List, organizationId: string): Promise<ResultPage> {
  const terms = parseSearchTerms(list.query.searchQuery)
  const where = sql`organization_id = ${organizationId}`
  if (terms) {
    const hits = sql`${searchMembers(list, where, terms)} union all ${searchInvited(list, where, terms)}`
    return loadSearchPage({ ...list, hits, cacheKey: [organizationId, terms.words] })
  }
  const total = sql<number>`(select member_count from organizations where ${where})
    + (select count(*)::integer from invitations where ${where})`
  return inOrder(list, total, [members(list, where), invited(list, where)])
}

const members = ({ query }: List, where: RawBuilder<unknown>) =>
  sql`select account_id as id, ${sql.ref(query.sort)} as place from memberships where ${where}`
const invited = ({ query }: List, where: RawBuilder<unknown>) =>
  sql`select invitation_id as id, ${invitedPlace[query.sort]} as place from invitations where ${where}`

// Sorted by what the inviter wrote, so that the order reveals nothing about an existing account.
const invitedPlace = {
  email: sql`email collate "sv-x-icu"`,
  firstName: sql`coalesce(first_name, '')`,
  lastName: sql`coalesce(last_name, '')`,
}

const searchInvited = (list: List, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
  ${invited(list, where)} and (
    select ${matchesWords('words', terms)}
    from (select folded(concat_ws(E'\\n', first_name, last_name, email)) as words) as typed)`

/** A page of the people who have a service in an organisation. */
export function listServicePeople(
  list: List,
  { organizationId, serviceId }: { organizationId: string; serviceId: string },
): Promise<ResultPage> {
  const terms = parseSearchTerms(list.query.searchQuery)
  const where = sql`organization_id = ${organizationId} and exists (
    select from service_assignments
    where service_assignments.organization_id = ${organizationId} and service_id = ${serviceId}
      and service_assignments.account_id = memberships.account_id)`
  // Service assignments do not change the version of the lists, so results of this search must not be cached.
  if (terms) return loadSearchPage({ ...list, hits: searchMembers(list, where, terms) })
  const total = sql<number>`(select seats_used from organization_services
    where organization_id = ${organizationId} and service_id = ${serviceId})`
  return inOrder(list, total, [members(list, where)])
}

/** An organisation has few members compared to all users, so each member is checked without an index. */
const searchMembers = ({ query }: List, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
  select account_id as id, memberships.${sql.ref(query.sort)} as place
  from memberships join directory using (account_id)
  where ${where} and ${matchesWords('directory.person', terms)}`

// Offsets below this are read from the front, without counting the list first.
const smallOffset = 500

/**
 * A page of one list, or of several lists merged. Each part is read from an index in list order, only as far as the page
 * needs.
 *
 * @param total the number of rows, from counters in the database
 * @param parts select `id` and `place`, the value that the list is sorted by
 */
async function inOrder(
  { db, query, itemsPerPage }: List,
  total: RawBuilder<number>,
  parts: readonly RawBuilder<unknown>[],
): Promise<ResultPage> {
  const count = async () =>
    (await sql<{ totalCount: number | null }>`select ${total} as "totalCount"`.execute(db)).rows[0]?.totalCount ?? 0
  const start = toOffsetAndLimit(query, itemsPerPage)
  const known = start.offset > smallOffset ? await count() : undefined
  const { offset, limit, sortDirection, turned } = readFromNearerEnd(start, query.sortDirection, known ?? Infinity)
  const order = sql`order by place ${keyword[sortDirection]}, id ${keyword[sortDirection]}`
  const reached = parts.map((part) => sql`(${part} ${order} limit ${offset + limit})`)
  const { rows } = await sql<{ id: string; totalCount: number }>`
    select id, ${total} as "totalCount" from (${sql.join(reached, sql` union all `)}) as list
    ${order} offset ${offset} limit ${limit}`.execute(db)
  const ids = rows.map((row) => row.id)
  return { totalCount: rows[0]?.totalCount ?? known ?? (await count()), ids: turned ? ids.reverse() : ids }
}
