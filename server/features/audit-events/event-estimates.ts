import type { Db } from '#server/platform/database/database.ts'
import { plainClient } from '#server/platform/database/plain-client.ts'
import { countParties, type Parties, type Search } from './event-parties.ts'
import { count } from './event-rows.ts'

/** So few parties are counted, because some of them may have very many rows. */
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
async function estimateByParties(db: Db, search: Search, by: Parties, of: { inScopes: number; parties: number }) {
  const ids = by.ids?.count ?? 0
  if (ids <= few) return 1 + (await count(db, { search: { scopes: search.scopes, parties: [] }, by }, 100_000))
  return (of.inScopes * ids) / Math.max(ids, of.parties)
}

/** What is expected of a search, in rows of the index. */
export interface Estimate {
  /** Of everybody's events. */
  parties: number
  inScopes: number
  /** In the time too, if one is named. */
  inTime: number
  /** With the name too. */
  named: number
  /** The parties that the fewest rows have, and how many of those in the time. */
  fewest?: { parties: Parties; ids: number; rows: number }
  hits: number
}

export async function estimate(db: Db, search: Search): Promise<Estimate> {
  const { scopes, from, until, nameId } = search
  const parties = await countParties(db)
  const inScopes = await estimateRows(db, { scopes })
  const inTime = from || until ? await estimateRows(db, { scopes, from, until }) : inScopes
  const named = nameId === undefined ? inTime : await estimateRows(db, search)
  const listed = search.parties
    .flatMap((each) => (each.ids ? [{ parties: each, ids: each.ids.count }] : []))
    .toSorted((one, other) => one.ids - other.ids)
  const [first] = listed
  if (!first) return { parties, inScopes, inTime, named, hits: named }
  const rows = ((await estimateByParties(db, search, first.parties, { inScopes, parties })) * inTime) / inScopes
  const hits = listed.slice(1).reduce((sum, { ids }) => sum * Math.min(1, (rows / inTime / first.ids) * ids), rows)
  return { parties, inScopes, inTime, named, hits: 1 + (hits * named) / inTime, fewest: { ...first, rows } }
}

// Microseconds, as measured with five million events.
export const rowInOrder = 0.15
export const rowByParty = 0.25
/** For each party: its events with it in the other column than the sorted one, collected and sorted. */
export const collectByOther = 12
/** For each label that is read in order: its events by themselves, and the others. */
export const lookUpLabel = 10
const lookUpParty = 2
/** By themselves, and by or to others. */
const lookUps: Record<Parties['side'], number> = { actor: 2, target: 2, either: 3 }

/** Microseconds to read rows in order until there are so many hits. */
export const costInOrder = ({ named, hits }: Estimate, most: number) =>
  Math.min(named, (most * named) / hits) * rowInOrder

/** The same by the fewest parties: each of them is read until it has `each` hits. */
export function costByParties({ fewest, hits }: Estimate, { each, most }: { each: number; most: number }): number {
  if (!fewest) return Number.POSITIVE_INFINITY
  const share = hits / fewest.rows
  const rows = Math.min(fewest.rows, (each * fewest.ids) / share, most / share)
  const looked = Math.min(fewest.ids, (fewest.ids * rows) / fewest.rows)
  return rows * rowByParty + looked * lookUps[fewest.parties.side] * lookUpParty
}
