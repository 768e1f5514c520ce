import { type RawBuilder, sql } from 'kysely'
import type { CommonGrams } from '#server/platform/database/common-grams.ts'
import { prefixPattern } from '#server/platform/database/paging.ts'
import { matchesWordsByIndex, type SearchTerms } from '#server/platform/database/search.ts'

/**
 * Selects all users that match a search, as `id` and `place`. Thousands may share a first and last name: those come from
 * an ordered index-only scan, and the n-gram search leaves them out.
 */
export function searchAllUsers(
  terms: SearchTerms,
  { common, sort }: { common: CommonGrams; sort: string },
): RawBuilder<unknown> {
  const names = namesIn(terms)
  const select = sql`select account_id as id, ${sql.ref(sort)} as place from directory where`
  const byGrams = matchesWordsByIndex('search', terms, {
    common,
    on: sql`directory_grams(search, name)`,
    // The form in which `directory_grams` stores a full name.
    without: names.map((name) => `\n${name}`),
  })
  const parts = [...names.map((name) => sql`name like ${prefixPattern(name)}`), byGrams]
  return sql.join(
    parts.map((where) => sql`${select} ${where}`),
    sql` union all `,
  )
}

/** Two words as first and last name, in both orders; the second may be a prefix. No user matches both orders. */
function namesIn({ words: [one, other, ...more] }: SearchTerms): string[] {
  if (one === undefined || other === undefined || more.length > 0) return []
  return [`${one}\n${other}`, `${other}\n${one}`]
}
