import { type RawBuilder, sql } from 'kysely'
import type { CommonGrams } from './common-grams.ts'
import { containsPattern } from './paging.ts'

/** The terms of a search: every word must match. */
export interface SearchTerms {
  /** Normalised like the stored text: lower case, NFC. */
  words: readonly string[]
}

const quoted = (gram: string) => `'${gram.replaceAll(/['\\]/g, '$&$&')}'`

// The same length as in `search_grams` in the database.
const gramLength = 4
function allGrams(word: string): string[] {
  const characters = [...word]
  const positions = [...Array(Math.max(0, characters.length - gramLength + 1)).keys()]
  return [...new Set(positions.map((position) => characters.slice(position, position + gramLength).join('')))]
}

/** About the share of all rows that have all words; 0 where a word has a rare n-gram. */
export const shareOf = ({ words }: SearchTerms, common: CommonGrams): number =>
  Math.min(
    ...words.map((word) => {
      const grams = allGrams(word)
      return grams.length > 0 ? Math.min(...grams.map((gram) => common.get(gram) ?? 0)) : 0
    }),
  )

/** True if each word has only n-grams that a fifth of all rows have: then reading all rows is faster than the index. */
export const isEverywhere = (terms: SearchTerms, common: CommonGrams): boolean => shareOf(terms, common) > 0.2

/**
 * The n-grams used to search for a word: its rarest. Common ones, such as the end of every address, cost more to read
 * than the few extra rows cost to filter. A word shorter than an n-gram is searched as a prefix.
 */
function gramsOf(word: string, common: CommonGrams): string[] {
  const grams = allGrams(word)
  if (grams.length === 0) return [`${quoted(word)}:*`]
  const rare = grams.filter((gram) => !common.has(gram))
  if (rare.length > 0) return firstAndLast(rare).map(quoted)
  const share = (gram: string) => common.get(gram) ?? 0
  return [quoted(grams.reduce((least, gram) => (share(gram) < share(least) ? gram : least)))]
}

/** The first and the last: n-grams that are far apart are the most independent. A third one gains nothing. */
const firstAndLast = (grams: readonly string[]) =>
  [...new Set([grams.at(0), grams.at(-1)])].filter((gram) => gram !== undefined)

/** The words of a search, or undefined for an empty one. */
export function parseSearchTerms(text: string): SearchTerms | undefined {
  const words = [...new Set(text.toLowerCase().normalize('NFC').split(/\s+/))].filter((word) => word !== '')
  return words.length === 0 ? undefined : { words }
}

/** Every word occurs in the column, which holds normalised text. */
export const matchesWords = (column: string, { words }: SearchTerms): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    words.map((word) => sql`${sql.ref(column)} like ${containsPattern(word)}`),
    sql` and `,
  )})`

interface GramIndex {
  common?: CommonGrams
  /** The indexed expression, where it is more than the n-grams of the column. */
  on?: RawBuilder<unknown>
  /** Excludes rows with an n-gram that begins with one of these. */
  without?: readonly string[]
}

/** The same through the index on `search_grams`, for large tables with few matches. */
export function matchesWordsByIndex(column: string, terms: SearchTerms, index: GramIndex = {}): RawBuilder<boolean> {
  const { common = new Map(), on = sql`search_grams(${sql.ref(column)})`, without = [] } = index
  const wanted = new Set(terms.words.flatMap((word) => gramsOf(word, common)))
  const grams = [...wanted, ...without.map((piece) => `!${quoted(piece)}:*`)].join(' & ')
  return sql<boolean>`(${on} @@ ${grams}::tsquery and ${matchesWords(column, terms)})`
}
