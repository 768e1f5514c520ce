import { type RawBuilder, sql } from 'kysely'
import { maxCounted } from '#contract/fields/fields.ts'
import type { Db } from './database.ts'
import { type Page, toOffsetAndLimit } from './paging.ts'
import { haveTrigrams, refuseSlowSearch, type SearchTerms } from './search.ts'

/** A page of a long list: the ids on it, and how many there are. */
export interface ListPage {
  ids: string[]
  /** At most `maxCounted`. */
  totalCount: number
  /** There are more than `maxCounted`; they are not counted to the end. */
  hasMore: boolean
}

/** Rows of a list. */
export interface ListPart {
  /** Selects `id` and `place`, the value that the list is sorted by. */
  rows: RawBuilder<unknown>
  /** Selects as many rows from fewer tables, to be counted. */
  counted?: RawBuilder<unknown> | undefined
}

/** What a list is asked for. */
export interface ListRequest {
  db: Db
  query: Page & { sort: string; sortDirection: 'asc' | 'desc' }
  itemsPerPage: number
}

const directions = { asc: sql`asc`, desc: sql`desc` }

/**
 * Loads a page of one list, or of several merged, with their count, in one statement.
 *
 * @param terms what the parts search for. Rows that the index of trigrams finds are all read, then counted and sorted. Other
 * parts are read in their order, only as far as the page needs. The planner cannot choose: it expects people with the name
 * Viktoria everywhere in the order of addresses, although they all stand near its end.
 *
 * @throws Problem 422 `searchTooSlow` for a search that takes longer than a statement may, as for a name that hundreds of
 * thousands have
 */
export async function loadListPage(
  { db, query, itemsPerPage }: ListRequest,
  parts: readonly ListPart[],
  terms: SearchTerms | undefined,
): Promise<ListPage> {
  if (parts.length === 0) return { ids: [], totalCount: 0, hasMore: false }
  const found = terms !== undefined && haveTrigrams(terms)
  const { offset, limit } = toOffsetAndLimit(query, itemsPerPage)
  const order = sql`order by place ${directions[query.sortDirection]}, id ${directions[query.sortDirection]}`
  const union = (selects: readonly RawBuilder<unknown>[]) => sql.join(selects, sql` union all `)
  const counted = parts.map((part) => sql`(select from (${part.counted ?? part.rows}) as part limit ${maxCounted + 1})`)
  const reached = parts.map(({ rows }) => sql`(${rows} ${order} limit ${offset + limit})`)
  const [all, list] = found ? [sql`hits`, sql`hits`] : [sql`(${union(counted)})`, sql`(${union(reached)})`]
  const loading = sql<{ count: number; ids: string[] }>`
    ${found ? sql`with hits as materialized (${union(parts.map(({ rows }) => rows))})` : sql``}
    select (select count(*)::integer from ${all} as counted) as count,
      array(select id from ${list} as list ${order} offset ${offset} limit ${limit}) as ids`.execute(db)
  const [page] = (await (terms ? loading.catch(refuseSlowSearch('searchTooSlow')) : loading)).rows
  if (!page) throw new Error('a select without a table returned no row')
  return { ids: page.ids, totalCount: Math.min(page.count, maxCounted), hasMore: page.count > maxCounted }
}
