import { type RawBuilder, sql } from 'kysely'
import { commonGrams } from '#server/platform/common-grams.ts'
import type { Db } from '#server/platform/database.ts'
import { type FoundPage, gatheredPage } from '#server/platform/gathered-page.ts'
import { fromNearerEnd, type Page, window } from '#server/platform/paging.ts'
import { holdsWords, type SearchTerms, searchTerms } from '#server/platform/search.ts'
import { hitsAmongEverybody } from './hits-among-everybody.ts'

/** What a list was asked for. */
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

/** Everybody. */
export async function listEverybody(list: List): Promise<FoundPage> {
  const terms = searchTerms(list.query.searchQuery)
  if (!terms) return inOrder(list, { source: sql`directory`, where: sql`true`, total: totalUsers })
  const hits = hitsAmongEverybody(terms, { common: await commonGrams(list.db), sort: list.query.sort })
  return gatheredPage({ ...list, hits, what: ['everybody', terms.words] })
}

/** The people of an organisation. */
export function listOrganizationPeople(list: List, organizationId: string): Promise<FoundPage> {
  const terms = searchTerms(list.query.searchQuery)
  const where = sql`organization_id = ${organizationId}`
  if (terms)
    return gatheredPage({ ...list, hits: hitsAmongMembers(list, where, terms), what: [organizationId, terms.words] })
  const total = sql<number>`(select member_count from organizations where ${where})`
  return inOrder(list, { source: sql`memberships`, where, total })
}

/** The people who have a service in an organisation. */
export function listServicePeople(
  list: List,
  { organizationId, serviceId }: { organizationId: string; serviceId: string },
): Promise<FoundPage> {
  const terms = searchTerms(list.query.searchQuery)
  const where = sql`organization_id = ${organizationId} and exists (
    select from service_assignments
    where service_assignments.organization_id = ${organizationId} and service_id = ${serviceId}
      and service_assignments.account_id = memberships.account_id)`
  // Who has a service is no part of the lists' version: nothing of it is kept.
  if (terms) return gatheredPage({ ...list, hits: hitsAmongMembers(list, where, terms) })
  const total = sql<number>`(select seats_used from organization_services
    where organization_id = ${organizationId} and service_id = ${serviceId})`
  return inOrder(list, { source: sql`memberships`, where, total })
}

/** The members are few beside everybody, so they are asked one by one. */
const hitsAmongMembers = ({ query }: List, where: RawBuilder<unknown>, terms: SearchTerms) => sql`
  select account_id as id, memberships.${sql.ref(query.sort)} as place
  from memberships join directory using (account_id)
  where ${where} and ${holdsWords('directory.person', terms)}`

interface Source {
  source: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** How many there are, kept by the database. */
  total: RawBuilder<number>
}

// Up to here the way from the front is short whatever the length.
const near = 500

/** A page straight from an index that has the list's order. */
async function inOrder({ db, query, itemsPerPage }: List, { source, where, total }: Source): Promise<FoundPage> {
  const count = async () =>
    (await sql<{ totalCount: number | null }>`select ${total} as "totalCount"`.execute(db)).rows[0]?.totalCount ?? 0
  const start = window(query, itemsPerPage)
  const known = start.offset > near ? await count() : undefined
  const { offset, limit, sortDirection, turned } = fromNearerEnd(start, query.sortDirection, known ?? Infinity)
  const { rows } = await sql<{ accountId: string; totalCount: number }>`
    select account_id as "accountId", ${total} as "totalCount" from ${source}
    where ${where}
    order by ${sql.ref(query.sort)} ${keyword[sortDirection]}, account_id ${keyword[sortDirection]}
    offset ${offset} limit ${limit}`.execute(db)
  const ids = rows.map((row) => row.accountId)
  return { totalCount: rows[0]?.totalCount ?? known ?? (await count()), ids: turned ? ids.reverse() : ids }
}
