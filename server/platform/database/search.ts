import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from './paging.ts'

/** The terms of a search: every word must match. */
export interface SearchTerms {
  /** Normalised like the stored text: lower case, NFC. */
  words: readonly string[]
}

/** The words of a search, or undefined for an empty one. */
export function parseSearchTerms(text: string): SearchTerms | undefined {
  const words = [...new Set(text.toLowerCase().normalize('NFC').split(/\s+/))].filter((word) => word !== '')
  return words.length === 0 ? undefined : { words }
}

/** Every word occurs in the column, which holds normalised text. An index of its trigrams finds these rows. */
export const matchesWords = (column: string, { words }: SearchTerms): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    words.map((word) => sql`${sql.ref(column)} like ${containsPattern(word)}`),
    sql` and `,
  )})`
