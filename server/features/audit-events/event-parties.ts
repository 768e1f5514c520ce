import { type RawBuilder, sql } from 'kysely'
import { loadCommonGrams } from '#server/platform/database/common-grams.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isEverywhere, matchesWords, matchesWordsByIndex, type SearchTerms } from '#server/platform/database/search.ts'
import { isMember, type Viewer } from './viewer.ts'

/** About how many parties there are. */
export async function countParties(db: Db): Promise<number> {
  const { rows } = await sql<{ parties: number }>`
    select greatest(reltuples, 0)::float8 as parties from pg_class where oid = 'audit_parties'::regclass`.execute(db)
  return rows[0]?.parties ?? 0
}

/**
 * So many parties are handed over to the database: half of all. Of more, each is looked up when an event with it is read; most
 * events then match, so that few are read.
 */
export const readMaxParties = async (db: Db): Promise<number> =>
  Math.min(300_000, Math.max(20_000, Math.floor((await countParties(db)) / 2)))

export type Column = 'actor' | 'target'

/** Rows of `audit_parties`, as PostgreSQL writes an array: JavaScript needs none of them. */
export interface PartyIds {
  list: string
  count: number
}

/** Some parties, and on which side of an event they must stand. */
export interface Parties {
  side: Column | 'either'
  /** Undefined where there are too many. */
  ids?: PartyIds
  /** Whether the party in a column of `audit_index i` is one of them. An actor counts where the viewer may know who it was. */
  has: (column: Column) => RawBuilder<unknown>
  /** Those with all words of a text: only these are found where somebody did it to themselves. */
  whole?: PartyIds
}

/** How labels, people and former names are found; each is checked for the words too. */
type LookUp = readonly [label: RawBuilder<unknown>, person: RawBuilder<unknown>, formerly: RawBuilder<unknown>]

/** Who has one of the words in a name and not in the address: only such words of names are in the index. */
const isBeyondAddress = ({ words }: SearchTerms) =>
  sql`(${sql.join(
    words.map((word) =>
      matchesWordsByIndex('person', { words: [word] }, { on: sql`search_grams(names_beyond(person, email))` }),
    ),
    sql` or `,
  )})`
const byIndex = (terms: SearchTerms): LookUp => [
  matchesWordsByIndex('search', terms),
  isBeyondAddress(terms),
  sql`true`,
]
const byReadingLabels = (terms: SearchTerms): LookUp => [sql`true`, isBeyondAddress(terms), sql`true`]
const ofOne = (party: RawBuilder<unknown>): LookUp => {
  const email = sql`(select label collate "default" from audit_parties where party_id = ${party})`
  return [sql`party_id = ${party}`, sql`email = ${email}`, sql`email = ${email}`]
}

const partiesByLabel = (terms: SearchTerms, [label]: LookUp) =>
  sql`select party_id from audit_parties where ${label} and ${matchesWords('search', terms)}`

/**
 * The parties of people whose names and address hold all words. An admin finds only the own members by name: else a search
 * would tell how a person is called who has left.
 */
function partiesByName(terms: SearchTerms, viewer: Viewer, [, person, formerly]: LookUp): RawBuilder<unknown> {
  const mayFind = viewer === 'everything' ? sql`true` : isMember(sql`directory.account_id`, viewer.organizationIds)
  const former =
    viewer === 'everything'
      ? sql`union all select email from former_names where ${formerly} and ${matchesWords('search', terms)}`
      : sql``
  // Who has the words in the address is found by label. An array, because the database expects too many addresses to look them up.
  return sql`
    select party_id from audit_parties where label = any (array(
      select email collate "C" from (
        select email from directory
        where ${person} and ${matchesWords('person', terms)} and not ${matchesWords('email', terms)} and ${mayFind} ${former}
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

/** @returns undefined where there are too many */
async function readFewIds(db: Db, parties: RawBuilder<unknown>, most: number): Promise<PartyIds | undefined> {
  const ids = await readIds(db, sql`select party_id from (${parties}) found limit ${most + 1}`)
  return ids.count <= most ? ids : undefined
}

/** One list of the two, which may overlap. */
const join = (...lists: readonly PartyIds[]): PartyIds => ({
  list: `{${lists
    .filter((each) => each.count > 0)
    .map(({ list }) => list.slice(1, -1))
    .join()}}`,
  count: lists.reduce((sum, { count }) => sum + count, 0),
})

export async function findParties(
  db: Db,
  { viewer, members, most }: { viewer: Viewer; members: PartyIds | undefined; most: number },
  { side, terms }: { side: Parties['side']; terms: SearchTerms },
): Promise<Parties> {
  const lookUp = (isEverywhere(terms, await loadCommonGrams(db)) ? byReadingLabels : byIndex)(terms)
  const labelled = readFewIds(db, partiesByLabel(terms, lookUp), most)
  const named = readFewIds(db, partiesByName(terms, viewer, lookUp), most)
  // Names are not waited for where too many labels have the word.
  named.catch(() => undefined)
  const one = await labelled
  const other = one && (await named)
  if (one && other) {
    const ids = join(one, other)
    return { side, ids, has: (column) => sql`(${isAmong(ofIndex(column), ids)} ${mayKnow(members, column)})` }
  }
  const has = (column: Column) => {
    const one = ofOne(ofIndex(column))
    return sql`(exists (${partiesByLabel(terms, one)} union all ${partiesByName(terms, viewer, one)})
      ${mayKnow(members, column)})`
  }
  return { side, has }
}

export const membersOf = (db: Db, organizationIds: readonly string[]) =>
  readIds(
    db,
    sql`select party_id from audit_parties where thing_id in (
      select account_id::text collate "C" from memberships where organization_id = any (${organizationIds}::uuid[]))`,
  )
