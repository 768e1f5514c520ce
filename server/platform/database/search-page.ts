import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { type Page, toOffsetAndLimit } from './paging.ts'

/** One page of a list: the total count, and the ids on the page. */
export interface ResultPage {
  totalCount: number
  ids: string[]
}

interface PageRequest {
  db: Db
  query: Page & { sort: string; sortDirection: 'asc' | 'desc' }
  itemsPerPage: number
  /** Selects every hit as `id` and `place`, the sort value. */
  hits: RawBuilder<unknown>
  /** Identifies the search and its scope. Without it the page is not cached, as where changes do not raise the version. */
  cacheKey?: readonly unknown[]
}

const capacity = 1000
// One cache per database: in tests a process may serve several, with independent versions.
const caches = new WeakMap<Db, Map<string, { version: number; page: ResultPage }>>()

/** Read in the same statement as the hits, so that a page and its version belong together. */
const version = sql<number>`(select sum(changes)::bigint from list_counts)`

/**
 * Loads one page of a search. All hits are collected in one statement, so that the total count is exact.
 *
 * Counting thousands of hits on every request would make searches slow, and common searches repeat. So pages are cached
 * together with the version of the lists. A cached page is used only while the version is the same; it is never stale.
 */
export async function loadSearchPage({ db, query, itemsPerPage, hits, cacheKey }: PageRequest): Promise<ResultPage> {
  const pages = caches.get(db) ?? new Map<string, { version: number; page: ResultPage }>()
  caches.set(db, pages)
  const key = JSON.stringify([cacheKey, query.sort, query.sortDirection, query.page])
  const cached = cacheKey && pages.get(key)
  if (cached) {
    const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(db)
    if (rows[0]?.version === cached.version) {
      store(pages, key, cached)
      return cached.page
    }
  }
  const { offset, limit } = toOffsetAndLimit(query, itemsPerPage)
  const direction = query.sortDirection === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<ResultPage & { version: number }>`
    with hits as materialized (${hits})
    select ${version} as version, (select count(*) from hits) as "totalCount",
      array(select id from hits order by place ${direction}, id ${direction} offset ${offset} limit ${limit}) as ids`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('the aggregate query returned no row')
  const page = { totalCount: found.totalCount, ids: found.ids }
  if (cacheKey) store(pages, key, { version: found.version, page })
  return page
}

/** Puts the entry at the end (LRU): the first key of the map is the least recently used one. */
function store<Value>(pages: Map<string, Value>, key: string, value: Value): void {
  pages.delete(key)
  pages.set(key, value)
  const oldest = pages.keys().next().value
  if (pages.size > capacity && oldest !== undefined) pages.delete(oldest)
}
