import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type Column, isAmong, ofIndex, type Parties, type Search } from './event-parties.ts'
import {
  type Direction,
  isOther,
  isSelf,
  opposite,
  otherColumn,
  type Rows,
  readPlaces,
  rowsOf,
  type Sql,
  unionAll,
  words,
} from './event-rows.ts'
import type { Filters } from './event-search.ts'

export interface Page {
  sort: Filters['sort']
  sortDirection: Direction
  offset: number
  limit: number
}

export interface Found {
  /** Places in the chain, in the order of the page. */
  places: number[]
  /** How many events match: one more than `maxCountedEvents` where there are more than these. */
  count: number
}

/** In ascending order the newest first where the sorted column is alike; descending is the reverse. */
function directions({ sortDirection }: Page) {
  return { direction: words[sortDirection], within: words[opposite[sortDirection]], order: opposite[sortDirection] }
}

/** Hits that are few, sorted. */
export async function collect(db: Db, rows: Rows, page: Page): Promise<Found> {
  const { direction, within } = directions(page)
  const { sort, offset, limit } = page
  const later = sql`created_at ${within}, seq ${within}`
  const orders: Record<Page['sort'], Sql> = {
    createdAt: sql`order by created_at ${direction}, seq ${direction}`,
    name: sql`join audit_event_names using (name_id) order by name ${direction}, ${later}`,
    actor: sql`left join ${labelsOf('actor', 'found')} on party_id = ${visible(rows.search, 'actor')} order by ${byLabel(direction)}, ${later}`,
    target: sql`left join ${labelsOf('target', 'found')} on party_id = target order by ${byLabel(direction)}, ${later}`,
  }
  const { rows: answers } = await sql<{ places: string[] | null; count: number }>`
    with found as materialized (select * from ${rowsOf(rows)} found ${rows.most ? sql`limit ${rows.most}` : sql``})
    select case when ${rows.most ? sql`(select count(*) from found) < ${rows.most}` : sql`true`}
      then array(select seq from found ${orders[sort]} offset ${offset} limit ${limit})::text[] end as places,
      (select count(*) from found)::integer as count`.execute(db)
  const [answer] = answers
  return { places: (answer?.places ?? []).map(Number), count: answer?.count ?? 0 }
}

const byLabel = (direction: Sql) => sql`label is null, label ${direction}, party_id ${direction}`

/** The party that sorts; 0 for actors who are no members of an admin's organisations, who stand at the end. */
const visible = ({ members }: Search, column: Column): Sql =>
  column === 'actor' && members ? sql`case when ${isAmong(sql`actor`, members)} then actor else 0 end` : sql.ref(column)

interface Group {
  id: number
  /** Hits before it. */
  before: number
  hits: number
}

/** The groups of hits that a page shows, when groups are sorted. */
export async function groupsOfPage(
  db: Db,
  rows: Rows,
  group: Sql,
  order: Sql,
  { offset, limit }: Page,
): Promise<Group[]> {
  const { rows: groups } = await sql<Group>`
    with counted as (select ${group} as id, count(*) as hits from ${rowsOf(rows)} found group by 1),
      summed as (select id, hits, sum(hits) over (order by ${order}) - hits as before
        from counted left join audit_parties on party_id = id left join audit_event_names on name_id = id)
    select id, hits::float8, before::float8 from summed
    where before + hits > ${offset} and before < ${offset + limit} order by before`.execute(db)
  return groups
}

export async function byCountsOfLabels(db: Db, rows: Rows, column: Column, page: Page): Promise<number[]> {
  const { direction, within, order } = directions(page)
  const groups = await groupsOfPage(db, rows, visible(rows.search, column), byLabel(direction), page)
  const [first] = groups
  if (!first) return []
  if (groups.some(({ id }) => id === 0)) return (await collect(db, rows, page)).places
  const list = `{${groups.map(({ id }) => id).join()}}`
  const by: Parties = { side: column, ids: { list, count: groups.length }, has: () => sql`true` }
  const found = rowsOf({ search: rows.search, by, order, most: page.offset - first.before + page.limit })
  return readPlaces(
    db,
    sql`select seq from ${found} found join audit_parties on party_id = ${sql.ref(column)}
      order by ${byLabel(direction)}, created_at ${within}, seq ${within}
      offset ${page.offset - first.before} limit ${page.limit}`,
  )
}

/**
 * Rows with the parties in the sorted column are read in the order of their labels, until there are enough. Those with them in
 * the other column alone are collected and sorted.
 */
export function byOwnLabelsAndOthers(
  db: Db,
  { search, by }: Rows & { by: Parties },
  column: Column,
  page: Page,
): Promise<number[]> {
  const { direction, within, order } = directions(page)
  const most = page.offset + page.limit
  const sorted = sql`order by label ${direction}, party_id ${direction}, created_at ${within}, seq ${within}`
  const rest = search.parties.filter((each) => each !== by)
  const { ids, apart, side } = by
  const own = (parties: readonly Parties[], and: Sql) => rowsOf({ search: { ...search, parties }, order, most, and })
  const self = own(rest, sql`i.actor = labels.party_id and ${isSelf}`)
  const ofColumn = own(rest, sql`${ofIndex(column)} = labels.party_id and ${isOther}`)
  const found = side === 'either' ? sql`(${unionAll(apart ? [ofColumn] : [self, ofColumn])})` : self
  // "is true" keeps the database from joining: it looks up each row in a hash table.
  const isInTime = sql`((select count(*) from own) < ${most} or (${ofIndex(column)} in (
    select party_id from audit_parties where label ${direction === words.asc ? sql`<=` : sql`>=`} (
      select label from own ${sorted} offset ${most - 1}))) is true)`
  // Of many rows, those with a label after enough own rows are left out: to sort them takes longer than to find that label.
  const and = ids && ids.count > 5000 ? isInTime : sql`true`
  // Places among the labels are cheaper to sort than the labels themselves.
  return readPlaces(
    db,
    sql`with own as materialized (
        select found.*, label, party_id from (${labelsInOrder(direction, ids)}) labels, lateral ${found} found
        ${sorted} limit ${most}),
      others as materialized (select * from ${rowsOf({ search, by, part: otherColumn[column], and })} found)
    select seq from (
      select seq, created_at, label, party_id from own
      union all
      (select seq, created_at, label, party_id from others join (
        select *, row_number() over (order by label ${direction}, party_id ${direction}) as place
        from ${labelsOf(column, 'others')}) labels on party_id = ${sql.ref(column)}
      order by place, created_at ${within}, seq ${within} limit ${most})
    ) found ${sorted} offset ${page.offset} limit ${page.limit}`,
  )
}

/** Of few parties, labels are looked up and sorted; of many, all labels are read in order. */
const isOneOf = (ids: Parties['ids']) =>
  ids && (ids.count > 1000 ? isAmong(sql`party_id`, ids) : sql`party_id = any (${ids.list}::integer[])`)

const labelsInOrder = (direction: Sql, ...among: readonly Parties['ids'][]) =>
  sql`select party_id, label from audit_parties
    where ${sql.join([sql`true`, ...among.flatMap((ids) => isOneOf(ids) ?? [])], sql` and `)}
    order by label ${direction}, party_id ${direction}`

/** The labels of the rows' parties: to look these up is cheaper than to read those of everybody. */
const labelsOf = (column: Column, rows: 'found' | 'others') =>
  sql`(select party_id, label from audit_parties
    where party_id = any (array(select distinct ${sql.ref(column)} from ${sql.table(rows)}))) labels`

export function inOrderOfNames(db: Db, search: Search, page: Page) {
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

export function inOrderOfLabels(db: Db, search: Search, column: Column, page: Page) {
  const { direction, within, order } = directions(page)
  const most = page.offset + page.limit
  const only = search.parties.find(({ side }) => side === column)?.ids
  const known = column === 'actor' ? search.members : undefined
  const rows = (condition: Sql) => rowsOf({ search, order, most, and: condition })
  const found = sql`(${unionAll([
    rows(sql`i.actor = labels.party_id and ${isSelf}`),
    rows(sql`i.${sql.ref(column)} = labels.party_id and ${isOther}`),
  ])})`
  return readPlaces(
    db,
    sql`
    select seq from (${labelsInOrder(direction, only, known)}) labels, lateral ${found} found
    order by label ${direction}, party_id ${direction}, created_at ${within}, seq ${within}
    offset ${page.offset} limit ${page.limit}`,
  )
}
