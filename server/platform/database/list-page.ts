import { type RawBuilder, sql } from 'kysely'
import { maxCounted } from '#contract/fields/fields.ts'
import type { Db } from './database.ts'
import { type Page, toOffsetAndLimit } from './paging.ts'

/** A page of a long list: the ids on it, and how many there are. */
export interface ListPage {
  ids: string[]
  /** At most `maxCounted`. */
  totalCount: number
  /** There are more than `maxCounted`; they are not counted to the end. */
  hasMore: boolean
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
 * @param parts select `id` and `place`, the value that the list is sorted by; each is read only as far as the page needs
 */
export async function loadListPage(
  { db, query, itemsPerPage }: ListRequest,
  parts: readonly RawBuilder<unknown>[],
): Promise<ListPage> {
  if (parts.length === 0) return { ids: [], totalCount: 0, hasMore: false }
  const { offset, limit } = toOffsetAndLimit(query, itemsPerPage)
  const order = sql`order by place ${directions[query.sortDirection]}, id ${directions[query.sortDirection]}`
  const reached = parts.map((part) => sql`(${part} ${order} limit ${offset + limit})`)
  const { rows } = await sql<{ count: number; ids: string[] }>`
    select
      (select count(*)::integer from (${sql.join(parts, sql` union all `)} limit ${maxCounted + 1}) as counted) as count,
      array(select id from (${sql.join(reached, sql` union all `)}) as list ${order} offset ${offset} limit ${limit}) as ids`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('a select without a table returned no row')
  return { ids: found.ids, totalCount: Math.min(found.count, maxCounted), hasMore: found.count > maxCounted }
}
