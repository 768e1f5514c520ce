import { type RawBuilder, sql } from 'kysely'
import { loadCommonGrams } from '#server/platform/database/common-grams.ts'
import type { Db } from '#server/platform/database/database.ts'
import {
  isEverywhere,
  matchesWords,
  matchesWordsByIndex,
  type SearchTerms,
  shareOf,
} from '#server/platform/database/search.ts'
import { isMember, type Viewer } from './viewer.ts'

/** About how many parties there are. */
export async function countParties(db: Db): Promise<number> {
  const { rows } = await sql<{ parties: number }>`
    select greatest(reltuples, 0)::float8 as parties from pg_class where oid = 'audit_parties'::regclass`.execute(db)
  return rows[0]?.parties ?? 0
}

export type Column = 'actor' | 'target'

/** Rows of `audit_parties`, as PostgreSQL writes an array: JavaScript needs none of them. */
export interface PartyIds {
  list: string
  count: number
}

/** Some parties, and on which side of an event they must stand. */
export interface Parties {
  side: Column | 'either'
  /** Undefined where most parties are among them. */
  ids?: PartyIds
  /** Whether the party in a column of `audit_index i` is one of them. An actor counts where the viewer may know who it was. */
  has: (column: Column) => RawBuilder<unknown>
  /** They have one word of a text that nobody has as a whole: what people did to themselves cannot match. */
  apart?: boolean
}

/** The filters in the terms of `audit_index`. */
export interface Search {
  scopes: readonly string[]
  nameId?: number | undefined
  from?: string | undefined
  until?: string | undefined
  parties: readonly Parties[]
  /** The parties of people whom an admin may know as actors; undefined for those who know all. */
  members?: PartyIds | undefined
}

/** Who has one of the words in a name and not in the address: only such words of names are in the index. */
const isBeyondAddress = ({ words }: SearchTerms) =>
  sql`(${sql.join(
    words.map((word) =>
      matchesWordsByIndex('person', { words: [word] }, { on: sql`search_grams(names_beyond(person, email))` }),
    ),
    sql` or `,
  )})`
/**
 * The parties of people whose names and address hold all words. An admin finds only the own members by name: else a search
 * would tell how a person is called who has left.
 */
function partiesByName(terms: SearchTerms, viewer: Viewer): RawBuilder<unknown> {
  const mayFind = viewer === 'everything' ? sql`true` : isMember(sql`directory.account_id`, viewer.organizationIds)
  const former =
    viewer === 'everything'
      ? sql`union all select email from former_names where ${matchesWords('search', terms)}`
      : sql``
  // Who has the words in the address is found by label. An array, because the database expects too many addresses to look them up.
  return sql`
    select party_id from audit_parties where label = any (array(
      select email collate "C" from (
        select email from directory
        where ${isBeyondAddress(terms)} and ${matchesWords('person', terms)} and not ${matchesWords('email', terms)} and ${mayFind} ${former}
      ) people))`
}

// `coalesce` keeps the database from looking up each of many parties: rows are then read in order and compared.
export const isAmong = (column: RawBuilder<unknown>, { list }: PartyIds) =>
  sql`coalesce(${column} = any (${list}::integer[]), false)`

export const ofIndex = (column: Column) => sql`i.${sql.ref(column)}`

/** Whether an admin may know who the actor was: a member, or someone who did it to themselves. */
const mayKnow = (members: PartyIds | undefined, column: Column) =>
  column === 'actor' && members ? sql`and (i.actor = i.target or ${isAmong(ofIndex(column), members)})` : sql``

export async function readIds(db: Db, parties: RawBuilder<unknown>): Promise<PartyIds> {
  const { rows } = await sql<PartyIds>`
    select coalesce(array_agg(party_id), '{}')::text as list, count(*)::integer as count from (${parties}) found`.execute(
    db,
  )
  return rows[0] ?? { list: '{}', count: 0 }
}

/** The parties whose label holds all words; where these seem to be most of them, the others. */
async function findByLabel(db: Db, terms: SearchTerms): Promise<{ ids: PartyIds; areOthers: boolean }> {
  const common = await loadCommonGrams(db)
  const holds = matchesWords('search', terms)
  const areOthers = shareOf(terms, common) > 0.5
  const wanted = areOthers
    ? sql`not ${holds}`
    : isEverywhere(terms, common)
      ? holds
      : matchesWordsByIndex('search', terms)
  return { ids: await readIds(db, sql`select party_id from audit_parties where ${wanted}`), areOthers }
}

/** One list of the two, which may overlap. */
const join = (...lists: readonly PartyIds[]): PartyIds => ({
  list: `{${lists
    .filter((each) => each.count > 0)
    .map(({ list }) => list.slice(1, -1))
    .join()}}`,
  count: lists.reduce((sum, { count }) => sum + count, 0),
})

/** @param members as in `Search` */
export async function findParties(
  db: Db,
  { viewer, members }: { viewer: Viewer; members: Promise<PartyIds> | undefined },
  { side, terms }: { side: Parties['side']; terms: SearchTerms },
): Promise<Parties> {
  const [labelled, named, known] = await Promise.all([
    findByLabel(db, terms),
    readIds(db, partiesByName(terms, viewer)),
    members,
  ])
  if (!labelled.areOthers) {
    const ids = join(labelled.ids, named)
    return { side, ids, has: (column) => sql`(${isAmong(ofIndex(column), ids)} ${mayKnow(known, column)})` }
  }
  const has = (column: Column) =>
    sql`((not ${isAmong(ofIndex(column), labelled.ids)} or ${isAmong(ofIndex(column), named)}) ${mayKnow(known, column)})`
  return { side, has }
}

export const membersOf = (db: Db, organizationIds: readonly string[]) =>
  readIds(
    db,
    sql`select party_id from audit_parties where thing_id in (
      select account_id::text collate "C" from memberships where organization_id = any (${organizationIds}::uuid[]))`,
  )
