import { type RawBuilder, sql } from 'kysely'
import type { MessageKey } from '#contract/message-key.ts'
import { Problem } from '../problem.ts'
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

/** True if an index of trigrams can find the terms. One or two letters have no trigram. */
export const haveTrigrams = ({ words }: SearchTerms): boolean => words.some((word) => /[\p{L}\p{N}]{3}/u.test(word))

/** Every word occurs in the column, which holds normalised text. An index of its trigrams finds these rows. */
export const matchesWords = (column: string, { words }: SearchTerms): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    words.map((word) => occurs(sql.ref(column), word)),
    sql` and `,
  )})`

/**
 * Of an address the index is asked for the part before the @ alone, which few have. The trigrams of its domain, which
 * thousands have, take longer to read than the few rows do to compare.
 */
function occurs(column: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  const [local = '', ...domain] = word.split('@')
  if (domain.length === 0 || !haveTrigrams({ words: [local] })) return sql`${column} like ${containsPattern(word)}`
  return sql`(${column} like ${containsPattern(local)} and strpos(${column}, ${word}) > 0)`
}

/** PostgreSQL's query_canceled, after its time-out. */
const timedOut = '57014'

/**
 * For the `catch` of a search: one that took longer than a statement may will do so again, so the answer says what to change
 * instead of asking to try later.
 *
 * @throws Problem 422 with the message, or the error as it was
 */
export const refuseSlowSearch =
  (message: MessageKey) =>
  (cause: unknown): never => {
    if ((cause as { code?: string }).code === timedOut) throw new Problem(422, message, { cause })
    throw cause
  }
