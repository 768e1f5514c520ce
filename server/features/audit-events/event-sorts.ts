import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type Column, isAmong, type Parties } from './event-parties.ts'
import {
  type Direction,
  isOther,
  isSelf,
  opposite,
  type Rows,
  readPlaces,
  rowsOf,
  type Sql,
  unionAll,
  words,
} from './event-rows.ts'
import type { Filters, Search } from './event-search.ts'

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

/** What people did to themselves has their own labels and is read in their order; the rest is collected. */
export function bySelfAndOthers(
  db: Db,
  { search, by }: Rows & { by: Parties },
  column: Column,
  page: Page,
): Promise<number[]> {
  const { direction, within, order } = directions(page)
  const most = page.offset + page.limit
  // Without "label is null", which never holds here: else the database does not merge the two parts.
  const sorted = sql`order by label ${direction}, party_id ${direction}, created_at ${within}, seq ${within}`
  const rest = search.parties.filter((each) => each !== by && !(by.whole && each.side === 'either'))
  const self = rowsOf({
    search: { ...search, parties: rest },
    order,
    most,
    and: sql`i.actor = labels.party_id and ${isSelf}`,
  })
  const others = rowsOf({ search, by, part: 'other' })
  return readPlaces(
    db,
    sql`with others as materialized (select * from ${others} found)
      select seq from (
        (select seq, created_at, label, party_id from (
          select party_id, label from audit_parties where party_id = any (${(by.whole ?? by.ids)?.list}::integer[])
          order by label ${direction}, party_id ${direction}) labels, lateral ${self} found
          ${sorted} limit ${most})
        union all
        (select seq, created_at, label, party_id from others join ${labelsOf(column, 'others')} on party_id = ${sql.ref(column)}
          ${sorted} limit ${most})
      ) found ${sorted} offset ${page.offset} limit ${page.limit}`,
  )
}

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
  const parties = sql`select party_id, label from audit_parties
    where ${only ? sql`party_id = any (${only.list}::integer[])` : sql`true`}
      and ${known ? isAmong(sql`party_id`, known) : sql`true`}
    order by label ${direction}, party_id ${direction}`
  const rows = (condition: Sql) => rowsOf({ search, order, most, and: condition })
  const found = sql`(${unionAll([
    rows(sql`i.actor = labels.party_id and ${isSelf}`),
    rows(sql`i.${sql.ref(column)} = labels.party_id and ${isOther}`),
  ])})`
  return readPlaces(
    db,
    sql`
    select seq from (${parties}) labels, lateral ${found} found
    order by label ${direction}, party_id ${direction}, created_at ${within}, seq ${within}
    offset ${page.offset} limit ${page.limit}`,
  )
}
