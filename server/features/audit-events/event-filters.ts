import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { auditEvents } from '#contract/audit-events.ts'
import type { QueryOf } from '#contract/route.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { loadCommonGrams } from '#server/platform/database/common-grams.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import {
  isEverywhere,
  matchesWords,
  matchesWordsByIndex,
  parseSearchTerms,
  type SearchTerms,
} from '#server/platform/database/search.ts'
import { isMember, mayKnowActor, type Viewer } from './viewer.ts'

export type Filters = QueryOf<typeof auditEvents.list>
/** The filters alone, as an export has them. */
export type EventFilters = Omit<Filters, 'page' | 'sort' | 'sortDirection'>
export type Events<Row = object> = SelectQueryBuilder<DB, 'auditEvents', Row>

/** The indexed beginning of a label; `audit_labels` has the same. */
export const beginningOf = (column: 'actor' | 'target') => sql<string | null>`left(${sql.ref(column)}, 300)`

/** So many labels the planner may look up one by one; so many are handed over at all. */
const fewLabels = 2000
const maxLabels = 20_000

/**
 * The labels that hold all words, and the addresses of people whose names and address do. An admin finds only the own
 * members by name: else a search would tell how a person is called who has left.
 */
function labelsWith(terms: SearchTerms, viewer: Viewer, lookUp: LookUp): RawBuilder<unknown> {
  const [label, person, formerly] = lookUp
  const mayFind = viewer === 'everything' ? sql`true` : isMember(sql`directory.account_id`, viewer.organizationIds)
  const former =
    viewer === 'everything'
      ? sql`union all select email from former_names
          where ${formerly} and ${matchesWords('search', terms)}`
      : sql``
  return sql`
    select label from audit_labels where ${label} and ${matchesWords('search', terms)}
    union all
    select email from directory where ${person} and ${matchesWords('person', terms)} and ${mayFind}
    ${former}`
}

/** How labels, people and former names are found; each is checked for the words too. */
type LookUp = readonly [label: RawBuilder<unknown>, person: RawBuilder<unknown>, formerly: RawBuilder<unknown>]

const byIndex = (terms: SearchTerms): LookUp => [
  matchesWordsByIndex('search', terms),
  matchesWordsByIndex('search', terms, { on: sql`directory_grams(search, name)` }),
  sql`true`,
]
const byReadingAll: LookUp = [sql`true`, sql`true`, sql`true`]
const ofOne = (label: RawBuilder<unknown>): LookUp => [
  sql`label = ${label}`,
  sql`email = ${label}`,
  sql`email = ${label}`,
]

type Side = (column: 'actor' | 'target') => RawBuilder<boolean>

/**
 * Whether a side of an event is one of the labels. They are looked up first, because the planner takes thousands for a few.
 * `coalesce` keeps it from looking up each of many in the index: events are then read in order and compared.
 */
async function sideWith(db: Db, terms: SearchTerms, viewer: Viewer): Promise<Side> {
  const lookUp = isEverywhere(terms, await loadCommonGrams(db)) ? byReadingAll : byIndex(terms)
  const { rows } = await sql<{ label: string }>`
    select distinct label from (${labelsWith(terms, viewer, lookUp)}) found limit ${maxLabels + 1}`.execute(db)
  const labels = rows.map(({ label }) => label)
  const isAmong = (label: RawBuilder<unknown>) => {
    if (labels.length > maxLabels) return sql<boolean>`exists (${labelsWith(terms, viewer, ofOne(label))})`
    const among = sql<boolean>`${label} = any (${labels}::text[])`
    return labels.length > fewLabels ? sql<boolean>`coalesce(${among}, false)` : among
  }
  return (column) => {
    const matches = isAmong(beginningOf(column))
    return column === 'actor' && viewer !== 'everything'
      ? sql<boolean>`(${matches} and ${mayKnowActor(viewer)})`
      : matches
  }
}

async function matchingText(db: Db, viewer: Viewer, filters: EventFilters): Promise<RawBuilder<boolean>[]> {
  const { actorFilter, targetFilter, textFilter } = filters
  if (!actorFilter && !targetFilter && !textFilter) return []
  // The sealer writes the labels: an event of this moment is to be found as well.
  await sealAuditEvents(db)
  const conditions: RawBuilder<boolean>[] = []
  for (const column of ['actor', 'target'] as const) {
    const terms = parseSearchTerms(filters[`${column}Filter`] ?? '')
    if (terms) conditions.push((await sideWith(db, terms, viewer))(column))
  }
  // Each word may stand on either side: "anna emil" finds what Anna did to Emil.
  for (const word of parseSearchTerms(filters.textFilter ?? '')?.words ?? []) {
    const side = await sideWith(db, { words: [word] }, viewer)
    conditions.push(sql<boolean>`(${side('actor')} or ${side('target')})`)
  }
  return conditions
}

/** An event that concerns one of the organisations. */
export const concerns = (organizationIds: readonly string[]) =>
  sql<boolean>`organization_ids && ${organizationIds}::uuid[]`

/** The events that match the filters, of those that the viewer may read. */
export async function filtered(db: Db, events: Events, viewer: Viewer, filters: EventFilters): Promise<Events> {
  const { nameFilter, organizationFilter, targetIdFilter, from, until } = filters
  let query = events
  if (nameFilter) query = query.where('name', '=', nameFilter)
  if (targetIdFilter) query = query.where('targetId', '=', targetIdFilter)
  // Of another organisation the filter finds nothing: it would tell which members belong there too.
  if (organizationFilter) {
    const mayAsk = viewer === 'everything' || viewer.organizationIds.includes(organizationFilter)
    query = query.where(mayAsk ? concerns([organizationFilter]) : sql<boolean>`false`)
  }
  if (from) query = query.where('createdAt', '>=', new Date(from))
  if (until) query = query.where('createdAt', '<', new Date(until))
  for (const condition of await matchingText(db, viewer, filters)) query = query.where(condition)
  return query
}
