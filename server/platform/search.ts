import { type RawBuilder, sql } from 'kysely'
import type { CommonGrams } from './common-grams.ts'
import { contains } from './paging.ts'

/** What a search box was asked for: every word must be found somewhere. */
export interface SearchTerms {
  /** Folded as what is stored is: lower case, composed. */
  words: readonly string[]
}

const quoted = (gram: string) => `'${gram.replaceAll(/['\\]/g, '$&$&')}'`

// As long as those of `search_grams` in the database.
const gramLength = 4
/**
 * The pieces by which a word is sought: its rarest. Reading the pieces that everybody's address ends with takes longer
 * than looking at the few rows too many. Of a word that is shorter than a piece, what begins with it.
 */
function gramsOf(word: string, common: CommonGrams): string[] {
  const signs = [...word]
  if (signs.length < gramLength) return [`${quoted(word)}:*`]
  const places = [...Array(signs.length - gramLength + 1).keys()]
  const grams = [...new Set(places.map((place) => signs.slice(place, place + gramLength).join('')))]
  const rare = grams.filter((gram) => !common.has(gram))
  if (rare.length > 0) return apart(rare).map(quoted)
  const share = (gram: string) => common.get(gram) ?? 0
  return [quoted(grams.reduce((least, gram) => (share(gram) < share(least) ? gram : least)))]
}

/** The first and the last: the further apart two pieces are, the less one says of the other. A third gains nothing. */
const apart = (grams: readonly string[]) =>
  [...new Set([grams.at(0), grams.at(-1)])].filter((gram) => gram !== undefined)

/** The words of a search, or undefined for one that asks for nothing. */
export function searchTerms(text: string): SearchTerms | undefined {
  const words = [...new Set(text.toLowerCase().normalize('NFC').split(/\s+/))].filter((word) => word !== '')
  return words.length === 0 ? undefined : { words }
}

/** Every word stands in the column, which holds folded text. */
export const holdsWords = (column: string, { words }: SearchTerms): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    words.map((word) => sql`${sql.ref(column)} like ${contains(word)}`),
    sql` and `,
  )})`

interface GramIndex {
  common?: CommonGrams
  /** What the index is on, where that is more than the column's pieces. */
  on?: RawBuilder<unknown>
  /** Rows with a piece that begins with one of these are left out. */
  without?: readonly string[]
}

/** The same through the column's index on `search_grams`: for many rows, of which few match. */
export function findsWords(column: string, terms: SearchTerms, index: GramIndex = {}): RawBuilder<boolean> {
  const { common = new Map(), on = sql`search_grams(${sql.ref(column)})`, without = [] } = index
  const sought = new Set(terms.words.flatMap((word) => gramsOf(word, common)))
  const grams = [...sought, ...without.map((piece) => `!${quoted(piece)}:*`)].join(' & ')
  return sql<boolean>`(${on} @@ ${grams}::tsquery and ${holdsWords(column, terms)})`
}
