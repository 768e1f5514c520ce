import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { type Page, window } from './paging.ts'

/** One page of a list: how many there are in all, and the ids on it. */
export interface FoundPage {
  totalCount: number
  ids: string[]
}

interface Gathering {
  db: Db
  query: Page & { sort: string; sortDirection: 'asc' | 'desc' }
  itemsPerPage: number
  /** Selects every hit as `id` and `place`, the value that it is sorted by. */
  hits: RawBuilder<unknown>
  /** What was sought, and where; a page is kept under it. Left out where a change does not raise the lists' version. */
  what?: readonly unknown[]
}

const capacity = 1000
// A database each: a process may serve more than one in tests, and their versions say nothing of each other.
const kept = new WeakMap<Db, Map<string, { version: number; page: FoundPage }>>()

/** Added up in the same statement as the hits, so that a page and its version are of one moment. */
const version = sql<number>`(select sum(changes)::bigint from list_counts)`

/**
 * A page of what has to be found first: all hits at once, so that the count is true.
 *
 * Counting thousands of hits again for every look is what makes a search slow, and common searches are few. A page that
 * was found is kept and counts only under the very version of the lists that it was found under: it is never out of date.
 */
export async function gatheredPage({ db, query, itemsPerPage, hits, what }: Gathering): Promise<FoundPage> {
  const pages = kept.get(db) ?? new Map<string, { version: number; page: FoundPage }>()
  kept.set(db, pages)
  const key = JSON.stringify([what, query.sort, query.sortDirection, query.page])
  const earlier = what && pages.get(key)
  if (earlier) {
    const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
    if (rows[0]?.version === earlier.version) {
      keep(pages, key, earlier)
      return earlier.page
    }
  }
  const { offset, limit } = window(query, itemsPerPage)
  const direction = query.sortDirection === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<FoundPage & { version: number }>`
    with hits as materialized (${hits})
    select ${version} as version, (select count(*) from hits) as "totalCount",
      array(select id from hits order by place ${direction}, id ${direction} offset ${offset} limit ${limit}) as ids`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('an aggregate without a row')
  const page = { totalCount: found.totalCount, ids: found.ids }
  if (what) keep(pages, key, { version: found.version, page })
  return page
}

/** At the young end: the first key is always the one that was not asked for longest. */
function keep<Value>(pages: Map<string, Value>, key: string, value: Value): void {
  pages.delete(key)
  pages.set(key, value)
  const oldest = pages.keys().next().value
  if (pages.size > capacity && oldest !== undefined) pages.delete(oldest)
}
