import { sql } from 'kysely'
import { maxCountedEvents } from '#contract/audit-events.ts'
import type { Db } from '#server/platform/database/database.ts'
import { plainClient } from '#server/platform/database/plain-client.ts'
import {
  count,
  type Direction,
  opposite,
  type Rows,
  readPlaces,
  rowsOf,
  type Sql,
  unionAll,
  words,
} from './event-rows.ts'
import { type Column, type Filters, isAmong, type Parties, type Search } from './event-search.ts'

const few = 100

/** How many rows the database expects in the scopes, with the name and in the time. */
async function estimateRows(db: Db, { scopes, nameId, from, until }: Partial<Search>): Promise<number> {
  const { rows } = await plainClient(db).query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `explain (format json) select from audit_index where scope = any ($1::uuid[])
     ${nameId === undefined ? '' : `and name_id = ${Number(nameId)}`}
     ${from ? 'and created_at >= $2' : 'and $2::timestamptz is null'} ${until ? 'and created_at < $3' : 'and $3::timestamptz is null'}`,
    [scopes, from ?? null, until ?? null],
  )
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 1
}

/** About how many rows of the scopes have one of the parties: counted where they are few. */
async function estimateByParties(db: Db, search: Search, by: Parties, inScopes: number): Promise<number> {
  const ids = by.ids?.count ?? 0
  if (ids <= few) return 1 + (await count(db, { search: { scopes: search.scopes, parties: [] }, by }, 100_000))
  const { rows } = await sql<{ parties: number }>`
    select reltuples::float8 as parties from pg_class where oid = 'audit_parties'::regclass`.execute(db)
  return (inScopes * ids) / Math.max(ids, rows[0]?.parties ?? 1)
}

/** What is expected of a search, in rows of the index. */
interface Expected {
  inScopes: number
  /** In the time too, if one is named. */
  inTime: number
  /** With the name too. */
  named: number
  /** The parties that the fewest rows have, and how many of those in the time. */
  fewest?: { parties: Parties; ids: number; rows: number }
  hits: number
}

async function expect(db: Db, search: Search): Promise<Expected> {
  const { scopes, from, until, nameId } = search
  const [inScopes, inTime, named] = await Promise.all([
    estimateRows(db, { scopes }),
    estimateRows(db, { scopes, from, until }),
    estimateRows(db, { scopes, from, until, nameId }),
  ])
  const listed = search.parties
    .flatMap((parties) => (parties.ids ? [{ parties, ids: parties.ids.count }] : []))
    .toSorted((one, other) => one.ids - other.ids)
  const [first] = listed
  if (!first) return { inScopes, inTime, named, hits: named }
  const rows = ((await estimateByParties(db, search, first.parties, inScopes)) * inTime) / inScopes
  const hits = listed
    .slice(1)
    .reduce((sum, { ids }) => sum * Math.min(1, (rows / inTime / first.ids) * ids), (rows * named) / inTime)
  return { inScopes, inTime, named, hits, fewest: { ...first, rows } }
}

// Microseconds, as measured with five million events.
const rowInOrder = 0.15
const rowByParty = 0.25
const lookUpParty = 4

/** Microseconds to read rows in order until there are so many hits. */
const costInOrder = ({ named, hits }: Expected, most: number) => Math.min(named, (most * named) / hits) * rowInOrder

/** The same by the fewest parties: each of them is read until it has `each` hits. */
function costByParties({ fewest, hits }: Expected, { each, most }: { each: number; most: number }): number {
  if (!fewest) return Number.POSITIVE_INFINITY
  const share = hits / fewest.rows
  const rows = Math.min(fewest.rows, (each * fewest.ids) / share, most / share)
  return rows * rowByParty + Math.min(fewest.ids, (fewest.ids * rows) / fewest.rows) * lookUpParty
}

interface Page {
  sort: Filters['sort']
  sortDirection: Direction
  offset: number
  limit: number
}

interface Found {
  /** Places in the chain, in the order of the page. */
  places: number[]
  /** How many events match: one more than `maxCountedEvents` where there are more than these. */
  count: number
}

/**
 * Finds a page. Up to `maxCountedEvents` hits are collected and sorted. Of more, a page is read in its order, or sorted from all
 * hits, whichever is expected to read fewer rows (bench/README.md has the figures).
 */
export async function findPage(db: Db, search: Search, page: Page): Promise<Found> {
  const expected = await expect(db, search)
  const most = maxCountedEvents + 1
  const isByParties = costByParties(expected, { each: most, most }) < costInOrder(expected, most)
  const found = await collect(db, { search, by: isByParties ? expected.fewest?.parties : undefined, most }, page)
  if (found.count < most) return found
  const places = await findAmongMany(db, search, { ...expected, hits: Math.max(most, expected.hits) }, page)
  return { places, count: most }
}

async function findAmongMany(db: Db, search: Search, expected: Expected, page: Page): Promise<number[]> {
  const { sort, sortDirection, offset, limit } = page
  const all = Number.POSITIVE_INFINITY
  const most = offset + limit
  const { fewest, hits, named, inScopes } = expected
  if (sort === 'createdAt' || (sort === 'name' && search.nameId !== undefined)) {
    const order = sort === 'createdAt' ? sortDirection : opposite[sortDirection]
    const isByParties = costByParties(expected, { each: most, most: all }) < costInOrder(expected, most)
    const rows = rowsOf({ search, by: isByParties ? fewest?.parties : undefined, order, most })
    return readPlaces(
      db,
      sql`select seq from ${rows} found
      order by created_at ${words[order]}, seq ${words[order]} offset ${offset} limit ${limit}`,
    )
  }
  const byParties = costByParties(expected, { each: all, most: all })
  const toCollect = Math.min(byParties, named * rowInOrder) + hits * rowByParty
  if (toCollect > ((most * inScopes) / hits) * rowInOrder) {
    if (sort === 'name') return inOrderOfNames(db, search, page)
    const places = await inOrderOfLabels(db, search, sort, page)
    // People whom an admin may not know as actors stand at the end.
    if (places.length === limit || !search.members || sort !== 'actor') return places
  }
  const by = byParties < named * rowInOrder ? fewest?.parties : undefined
  return (await collect(db, { search, by }, page)).places
}

/** In ascending order the newest first where the sorted column is alike; descending is the reverse. */
function directions({ sortDirection }: Page) {
  return { direction: words[sortDirection], within: words[opposite[sortDirection]], order: opposite[sortDirection] }
}

async function collect(db: Db, rows: Rows, page: Page): Promise<Found> {
  const { direction, within } = directions(page)
  const { sort, offset, limit } = page
  const sorted =
    sort === 'createdAt'
      ? sql`select seq from found order by created_at ${direction}, seq ${direction} offset ${offset} limit ${limit}`
      : sort === 'name'
        ? sql`select seq from found join audit_event_names using (name_id)
          order by name ${direction}, created_at ${within}, seq ${within} offset ${offset} limit ${limit}`
        : sortedByLabel(rows.search, sort, page)
  const { rows: answers } = await sql<{ places: number[]; count: number }>`
    with found as materialized (select * from ${rowsOf(rows)} found ${rows.most ? sql`limit ${rows.most}` : sql``})
    select array(${sorted})::text[] as places, (select count(*) from found)::integer as count`.execute(db)
  const [answer] = answers
  return { places: (answer?.places ?? []).map(Number), count: answer?.count ?? 0 }
}

/** Counts the events of each label first, so that only those of the page are sorted. */
function sortedByLabel({ members }: Search, column: Column, page: Page): Sql {
  const { direction, within } = directions(page)
  const { offset, limit } = page
  const party =
    column === 'actor' && members
      ? sql`case when actor = target or ${isAmong(sql`actor`, members)} then actor else 0 end`
      : sql.ref(column)
  const byLabel = sql`label is null, label ${direction}, party ${direction}`
  return sql`
    with sides as materialized (select created_at, seq, ${party} as party from found),
      counted as (select party, count(*) as events from sides group by party),
      labels as (
        select party, label, events, sum(events) over (order by ${byLabel}) as upto
        from counted left join audit_parties on party_id = party),
      there as materialized (select * from labels where upto > ${offset} and upto - events < ${offset + limit})
    select seq from there join sides using (party) order by ${byLabel}, created_at ${within}, seq ${within}
    offset ${offset} - coalesce((select min(upto - events) from there), 0) limit ${limit}`
}

function inOrderOfNames(db: Db, search: Search, page: Page) {
  const { direction, within, order } = directions(page)
  const most = page.offset + page.limit
  return readPlaces(
    db,
    sql`
    select seq from (select name_id, name from audit_event_names order by name ${direction}) names,
      lateral ${rowsOf({ search, order, most, and: sql`i.name_id = names.name_id` })} found
    order by name ${direction}, created_at ${within}, seq ${within} offset ${page.offset} limit ${page.limit}`,
  )
}

function inOrderOfLabels(db: Db, search: Search, column: Column, page: Page) {
  const { direction, within, order } = directions(page)
  const most = page.offset + page.limit
  const only = search.parties.find(({ side }) => side === column)?.ids
  const known = column === 'actor' ? search.members : undefined
  const parties = sql`select party_id, label from audit_parties
    where ${only ? sql`party_id = any (${only.list}::integer[])` : sql`true`}
      and ${known ? isAmong(sql`party_id`, known) : sql`true`}
    order by label ${direction}, party_id ${direction}`
  const rows = (condition: Sql) => rowsOf({ search, order, most, and: condition })
  const found =
    column === 'actor'
      ? rows(sql`i.actor = labels.party_id`)
      : sql`(${unionAll([
          rows(sql`i.actor = labels.party_id and i.target = i.actor`),
          rows(sql`i.target = labels.party_id and i.actor <> i.target`),
        ])})`
  return readPlaces(
    db,
    sql`
    select seq from (${parties}) labels, lateral ${found} found
    order by label ${direction}, party_id ${direction}, created_at ${within}, seq ${within}
    offset ${page.offset} limit ${page.limit}`,
  )
}
