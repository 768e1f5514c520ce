import { type RawBuilder, sql } from 'kysely'
import { contains } from './paging.ts'

/** What a search box was asked for: every word must be found somewhere. */
export interface SearchTerms {
  /** Folded as what is stored is: lower case, composed. */
  words: readonly string[]
  /** The pieces of all words, as a tsquery for the index on `search_grams`. */
  grams: string
}

const quoted = (gram: string) => `'${gram.replaceAll(/['\\]/g, '$&$&')}'`

// As long as those of `search_grams` in the database.
const gramLength = 4

/**
 * Piece after piece until every sign of the word is covered: a long word is sought by fewer pieces than it has. Of a word
 * that is shorter than a piece, what begins with it.
 */
function gramsOf(word: string): string[] {
  const signs = [...word]
  const last = signs.length - gramLength
  if (last < 0) return [`${quoted(word)}:*`]
  const places = [...Array(Math.ceil(last / gramLength)).keys()].map((piece) => piece * gramLength)
  return [...places, last].map((place) => quoted(signs.slice(place, place + gramLength).join('')))
}

/** The words of a search, or undefined for one that asks for nothing. */
export function searchTerms(text: string): SearchTerms | undefined {
  const words = [...new Set(text.toLowerCase().normalize('NFC').split(/\s+/))].filter((word) => word !== '')
  if (words.length === 0) return undefined
  return { words, grams: [...new Set(words.flatMap(gramsOf))].join(' & ') }
}

/** Every word stands in the column, which holds folded text. */
export const holdsWords = (column: string, { words }: SearchTerms): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    words.map((word) => sql`${sql.ref(column)} like ${contains(word)}`),
    sql` and `,
  )})`

/** The same through the column's index on `search_grams`: for many rows, of which few match. */
export const findsWords = (column: string, terms: SearchTerms): RawBuilder<boolean> =>
  sql<boolean>`(search_grams(${sql.ref(column)}) @@ ${terms.grams}::tsquery and ${holdsWords(column, terms)})`
