import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type Column, ofIndex, type Parties, type Search } from './event-parties.ts'

export type Sql = RawBuilder<unknown>
export type Direction = 'asc' | 'desc'

/** Which rows of the index, and in which order. */
export interface Rows {
  search: Search
  /** Rows are found by these; without them, all rows of a scope are read in order. */
  by?: Parties | undefined
  order?: Direction | undefined
  /** Enough of each scope and each party. */
  most?: number
  /** One more condition, about `audit_index i`. */
  and?: Sql
  /** Of those by parties, only what these did to others, or others to them; without what has one of them in both columns. */
  part?: Column
}

export const words: Record<Direction, Sql> = { asc: sql`asc`, desc: sql`desc` }
export const otherColumn: Record<Column, Column> = { actor: 'target', target: 'actor' }
export const opposite: Record<Direction, Direction> = { asc: 'desc', desc: 'asc' }

const and = (conditions: readonly Sql[]) => sql.join(conditions, sql` and `)
export const unionAll = (queries: readonly Sql[]) => sql.join(queries, sql` union all `)

// Keeps the planner from reading an index as a whole: it expects far more rows by party than there are.
const fence = sql`offset 0`

/** `audit_index i`, in one scope, with all conditions but those of `by`. */
function select(scope: string, { search, by, order, most, and: more }: Rows, party: Sql = sql`true`): Sql {
  const { nameId, from, until, parties } = search
  const conditions = [
    sql`i.scope = ${scope}::uuid`,
    party,
    ...(nameId === undefined ? [] : [sql`i.name_id = ${nameId}`]),
    ...(from ? [sql`i.created_at >= ${new Date(from)}`] : []),
    ...(until ? [sql`i.created_at < ${new Date(until)}`] : []),
    ...parties
      .filter((each) => each !== by)
      .map(({ side, has }) => (side === 'either' ? sql`(${has('actor')} or ${has('target')})` : has(side))),
    ...(more ? [more] : []),
  ]
  const ordered = order ? sql`order by i.created_at ${words[order]}, i.seq ${words[order]}` : sql``
  return sql`(select i.created_at, i.seq, i.name_id, i.actor, i.target from audit_index i where ${and(conditions)} ${ordered}
    ${most ? sql`limit ${most}` : fence})`
}

/** What people did to themselves, as when they sign in, has an index of its own, whose condition the planner must meet word for word. */
export const isSelf = sql`(i.actor = i.target) is true`
export const isOther = sql`i.actor <> i.target`

/** The rows of events with one of the parties; in an order, enough of each party. */
function selectByParties(scope: string, rows: Rows, { side, ids, has, apart }: Parties, part?: Rows['part']): Sql {
  const { search, order } = rows
  const selectEach = (list: string | undefined, found: readonly ((party: Sql) => Sql)[]) =>
    order
      ? sql`(select found.* from (select distinct unnest(${list}::integer[]) as id) party,
          lateral (${unionAll(found.map((by) => by(sql`= party.id`)))}) found)`
      : // One scan for all of them takes a third of the time. An array that is no constant takes no time to plan.
        unionAll(found.map((by) => by(sql`= any (array(select unnest(${list}::integer[])))`)))
  const self = apart
    ? []
    : [selectEach(ids?.list, [(party) => select(scope, rows, sql`i.actor ${party} and ${isSelf}`)])]
  const others = (column: Column, isOnly: boolean) => (party: Sql) => {
    const mayKnow = column === 'actor' && search.members ? sql`and ${has(column)}` : sql``
    const only = isOnly ? sql`and not ${has(otherColumn[column])}` : sql``
    return select(scope, rows, sql`${ofIndex(column)} ${party} and ${isOther} ${mayKnow} ${only}`)
  }
  if (part) return selectEach(ids?.list, [others(part, side === 'either')])
  // The rarer rows first: a count ends when there are enough.
  return unionAll([
    ...self,
    selectEach(ids?.list, [
      ...(side === 'actor' ? [] : [others('target', side === 'either')]),
      ...(side === 'target' ? [] : [others('actor', false)]),
    ]),
  ])
}

/** The rows, each once though an event may be in several scopes. */
export function rowsOf(rows: Rows): Sql {
  const { search, by } = rows
  const scopes = search.scopes.map((scope) =>
    by ? selectByParties(scope, rows, by, rows.part) : select(scope, { order: 'desc', ...rows }),
  )
  return scopes.length > 1 ? sql`(select distinct * from (${unionAll(scopes)}) scopes)` : sql`(${unionAll(scopes)})`
}

export async function count(db: Db, rows: Rows, most: number): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from ${rowsOf({ ...rows, most })} found limit ${most}) counted`.execute(
    db,
  )
  return counted[0]?.count ?? 0
}

/** The places in the chain that a statement finds. */
export const readPlaces = async (db: Db, statement: Sql) =>
  (await sql<{ seq: number }>`${statement}`.execute(db)).rows.map(({ seq }) => Number(seq))

/** Some events after a place in the order of time, the oldest first. */
export async function findNext(db: Db, search: Search, after: { at: string; seq: number }, limit: number) {
  const since = sql`(i.created_at, i.seq) > (${after.at}::timestamptz, ${after.seq})`
  const rows = rowsOf({ search, order: 'asc', most: limit, and: since })
  const found = await sql<{ seq: number; at: string }>`
    select seq, created_at::text as at from ${rows} found order by created_at, seq limit ${limit}`.execute(db)
  return found.rows.map(({ seq, at }) => ({ seq: Number(seq), at }))
}

/** Which places of a part of the chain have events that match. */
export const findPlaces = (db: Db, search: Search, { from, to }: { from: number; to: number }) =>
  readPlaces(
    db,
    sql`
    select found.seq from audit_chain c, lateral ${rowsOf({ search, and: sql`i.created_at = c.created_at and i.seq = c.seq` })} found
    where c.seq > ${from} and c.seq <= ${to}`,
  )
