import { sql } from 'kysely'
import type { auditEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import type { Db } from '#server/platform/database/database.ts'
import { parseSearchTerms } from '#server/platform/database/search.ts'
import { findParties, isAmong, membersOf, ofIndex, type Parties, type PartyIds, readIds } from './event-parties.ts'
import type { Viewer } from './viewer.ts'

export type Filters = QueryOf<typeof auditEvents.list>
/** The filters alone, as an export has them. */
export type EventFilters = Omit<Filters, 'page' | 'sort' | 'sortDirection'>

/** The scope in `audit_index` that has every event. */
const everything = '00000000-0000-0000-0000-000000000000'

/** The filters in the terms of `audit_index`. */
export interface Search {
  scopes: readonly string[]
  nameId?: number | undefined
  from?: string | undefined
  until?: string | undefined
  parties: readonly Parties[]
  /** The parties of people whom an admin may know as actors; undefined for those who know all. */
  members?: PartyIds
}

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
  const wanted = [
    { side: 'actor' as const, terms: parseSearchTerms(actorFilter ?? '') },
    { side: 'target' as const, terms: parseSearchTerms(targetFilter ?? '') },
    // Each word may stand on either side: "anna emil" finds what Anna did to Emil.
    ...(parseSearchTerms(textFilter ?? '')?.words ?? []).map((word) => ({
      side: 'either' as const,
      terms: { words: [word] },
    })),
  ].flatMap(({ side, terms }) => (terms ? [{ side, terms }] : []))
  search.parties = await Promise.all(wanted.map((each) => findParties(db, { viewer, members }, each)))
  if (members) search.members = await members
  const texts = search.parties.filter(({ side }) => side === 'either')
  if (texts.length > 1 && texts.every(({ ids }) => ids)) {
    const whole = await readIds(
      db,
      sql.join(
        texts.map(({ ids }) => sql`select unnest(${ids?.list}::integer[]) as party_id`),
        sql` intersect `,
      ),
    )
    search.parties = search.parties.map((each) => (each.side === 'either' ? { ...each, whole } : each))
  }
  if (targetIdFilter) {
    const ids = await readIds(db, sql`select party_id from audit_parties where thing_id = ${targetIdFilter}`)
    search.parties = [...search.parties, { side: 'target', ids, has: (column) => isAmong(ofIndex(column), ids) }]
  }
  return search.parties.some(({ ids }) => ids?.count === 0) ? undefined : search
}
