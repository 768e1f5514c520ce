import { sql } from 'kysely'
import type { auditEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import type { Db } from '#server/platform/database/database.ts'
import { parseSearchTerms } from '#server/platform/database/search.ts'
import { findParties, isAmong, membersOf, ofIndex, type Parties, readIds, type Search } from './event-parties.ts'
import { count } from './event-rows.ts'
import type { Viewer } from './viewer.ts'

export type Filters = QueryOf<typeof auditEvents.list>
/** The filters alone, as an export has them. */
export type EventFilters = Omit<Filters, 'page' | 'sort' | 'sortDirection'>

/** The scope in `audit_index` that has every event. */
const everything = '00000000-0000-0000-0000-000000000000'

/** @returns undefined where nothing can match */
export async function toSearch(db: Db, viewer: Viewer, filters: Filters | EventFilters): Promise<Search | undefined> {
  const { nameFilter, organizationFilter, targetIdFilter, actorFilter, targetFilter, textFilter, from, until } = filters
  const mayRead = viewer === 'everything' ? [everything] : viewer.organizationIds
  // Of another organisation the filter finds nothing: it would tell which members belong there too.
  const mayAsk = !organizationFilter || viewer === 'everything' || mayRead.includes(organizationFilter)
  if (!mayAsk || mayRead.length === 0) return undefined
  const search: Search = { scopes: organizationFilter ? [organizationFilter] : mayRead, from, until, parties: [] }
  if (nameFilter) {
    const name = await db
      .selectFrom('auditEventNames')
      .select('nameId')
      .where('name', '=', nameFilter)
      .executeTakeFirst()
    if (!name) return undefined
    search.nameId = name.nameId
  }
  const asksForActors = actorFilter || textFilter || ('sort' in filters && filters.sort === 'actor')
  const members = viewer !== 'everything' && asksForActors ? membersOf(db, viewer.organizationIds) : undefined
  const look: Look = (side, words) => findParties(db, { viewer, members }, { side, terms: { words } })
  const wordsOf = (text: string | undefined) => parseSearchTerms(text ?? '')?.words ?? []
  const [actorWords, targetWords, textWords] = [actorFilter, targetFilter, textFilter].map(wordsOf)
  if (members) search.members = await members
  const found = await Promise.all([
    actorWords?.length ? look('actor', actorWords) : [],
    targetWords?.length ? look('target', targetWords) : [],
    textWords?.length ? findText(db, search, look, textWords) : [],
  ])
  search.parties = found.flat()
  if (targetIdFilter) {
    const ids = await readIds(db, sql`select party_id from audit_parties where thing_id = ${targetIdFilter}`)
    search.parties = [...search.parties, { side: 'target', ids, has: (column) => isAmong(ofIndex(column), ids) }]
  }
  return search.parties.some(({ ids }) => ids?.count === 0) ? undefined : search
}

type Look = (side: Parties['side'], words: readonly string[]) => Promise<Parties>

/**
 * Who has all words of a text. If nobody in the log of the viewer does, each word may stand on either side: "anna emil" finds
 * what Anna did to Emil.
 */
async function findText(
  db: Db,
  { scopes, members }: Search,
  look: Look,
  words: readonly string[],
): Promise<readonly Parties[]> {
  const whole = await look('either', words)
  if (words.length === 1 || !whole.ids) return [whole]
  const isThere = () => count(db, { search: { scopes, members, parties: [] }, by: whole }, 1)
  if (whole.ids.count > 0 && (await isThere()) > 0) return [whole]
  const apart = await Promise.all(words.map((word) => look('either', [word])))
  return apart.map((each) => ({ ...each, apart: true }))
}
