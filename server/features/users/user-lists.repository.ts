import { type RawBuilder, sql } from 'kysely'
import type { UserFilters } from '#contract/user-filters.ts'
import { loadCommonGrams } from '#server/platform/database/common-grams.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Page, readFromNearerEnd, toOffsetAndLimit } from '#server/platform/database/paging.ts'
import { matchesWords, parseSearchTerms, type SearchTerms } from '#server/platform/database/search.ts'
import { loadSearchPage, type ResultPage } from '#server/platform/database/search-page.ts'
import { anyOf, filterAllUsers, filterPeople, hashed, sumOf } from './filtered-lists.repository.ts'
import { searchAllUsers } from './search-all-users.ts'
import { isFiltered, isVersioned } from './user-filters.ts'

/** The query of a list. */
export interface ListQuery extends Page, UserFilters {
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

/** The rows of the list of all users, as selects of `id` and `place`. */
export async function rowsOfEveryone(
  { db, query }: Pick<List, 'db' | 'query'>,
  inSet?: Parameters<typeof filterAllUsers>[2],
) {
  const terms = parseSearchTerms(query.searchQuery)
  const everyone = sql`select account_id as id, ${sql.ref(query.sort)} as place from directory`
  const rows = terms ? searchAllUsers(terms, { common: await loadCommonGrams(db), sort: query.sort }) : everyone
  return { terms, ...(isFiltered(query) ? filterAllUsers(query, rows, inSet) : { parts: [rows], total: totalUsers }) }
}

const manyHolders = 300

/** A page of all users. */
export async function listAllUsers(list: List): Promise<ResultPage> {
  const { query } = list
  const { terms, parts, total } = await rowsOfEveryone(list)
  if (!terms && !query.serviceId) return inOrder(list, total, parts)
  // Few people are cheaper to sort, many are cheaper to find in order. The planner cannot tell how many have a service.
  if (!terms) {
    const known = await count(list.db, total)
    if (known > manyHolders) return inOrder(list, sql`${known}::bigint`, (await rowsOfEveryone(list, hashed)).parts)
  }
  const cacheKey = ['everybody', terms?.words, query.status, query.loginMethod, query.role]
  return loadSearchPage({ ...list, hits: anyOf(parts), ...(isVersioned(query) ? { cacheKey } : {}) })
}

interface Organization {
  organizationId: string
  /** The organisations that the reader administers, unless the reader sees everything. */
  administeredIds?: readonly string[] | undefined
}

/** The rows of an organisation's list: members and invited people. */
export function rowsOfOrganization(list: Pick<List, 'query'>, { organizationId, administeredIds }: Organization) {
  const { query } = list
  const terms = parseSearchTerms(query.searchQuery)
  const there = sql`organization_id = ${organizationId}`
  const { memberMatches, invitationMatches } = filterPeople(query, { organizationId, administeredIds })
  const member = memberMatches && sql`${there} and ${memberMatches}`
  const open = invitationMatches && sql`${there} and ${invitationMatches}`
  const parts = [
    ...(member ? [terms ? searchMembers(list, member, terms) : members(list, member)] : []),
    ...(open ? [terms ? searchInvited(list, open, terms) : invited(list, open)] : []),
  ]
  const total = sumOf([
    isFiltered(query)
      ? member && sql`(select count(*) from memberships where ${member})`
      : sql`(select member_count from organizations where ${there})`,
    open && sql`(select count(*) from invitations i where ${open})`,
  ])
  return { terms, parts, total }
}

/** A page of an organisation's members and invited people. */
export async function listOrganizationPeople(list: List, organization: Organization): Promise<ResultPage> {
  const { terms, parts, total } = rowsOfOrganization(list, organization)
  if (!terms) return inOrder(list, total, parts)
  // What a filter finds here depends on the reader, so it is not cached.
  const cacheKey = isFiltered(list.query) ? undefined : [organization.organizationId, terms.words]
  return loadSearchPage({ ...list, hits: anyOf(parts), ...(cacheKey ? { cacheKey } : {}) })
}

type Sorted = Pick<List, 'query'>
const members = ({ query }: Sorted, where: RawBuilder<unknown>) =>
  sql`select account_id as id, ${sql.ref(query.sort)} as place from memberships where ${where}`
const invited = ({ query }: Sorted, where: RawBuilder<unknown>) =>
  sql`select invitation_id as id, ${invitedPlace[query.sort]} as place from invitations i where ${where}`

// Sorted by what the inviter wrote, so that the order reveals nothing about an existing account.
const invitedPlace = {
  email: sql`email collate "sv-x-icu"`,
  firstName: sql`coalesce(first_name, '')`,
  lastName: sql`coalesce(last_name, '')`,
}

const searchInvited = (list: Sorted, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
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
const searchMembers = ({ query }: Sorted, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
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
  if (parts.length === 0) return { totalCount: 0, ids: [] }
  const start = toOffsetAndLimit(query, itemsPerPage)
  const known = start.offset > smallOffset ? await count(db, total) : undefined
  const { offset, limit, sortDirection, turned } = readFromNearerEnd(start, query.sortDirection, known ?? Infinity)
  const order = sql`order by place ${keyword[sortDirection]}, id ${keyword[sortDirection]}`
  const reached = parts.map((part) => sql`(${part} ${order} limit ${offset + limit})`)
  const { rows } = await sql<ResultPage>`
    select ${known === undefined ? total : sql`${known}::bigint`} as "totalCount", array(
      select id from (${sql.join(reached, sql` union all `)}) as list ${order} offset ${offset} limit ${limit}) as ids`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('a select without a table returned no row')
  const { totalCount, ids } = found
  return { totalCount: totalCount ?? 0, ids: turned ? ids.reverse() : ids }
}

async function count(db: Db, total: RawBuilder<number>): Promise<number> {
  const { rows } = await sql<{ total: number | null }>`select ${total} as total`.execute(db)
  return rows[0]?.total ?? 0
}
