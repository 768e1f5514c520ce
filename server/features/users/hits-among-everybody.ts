import { type RawBuilder, sql } from 'kysely'
import type { CommonGrams } from '#server/platform/common-grams.ts'
import { startsWith } from '#server/platform/paging.ts'
import { findsWords, type SearchTerms } from '#server/platform/search.ts'

/**
 * Everybody whom a search finds, as `id` and `place`. Thousands may have the same first and last name: those come from
 * an index that is read alone and in order, and the search by pieces of words leaves them out.
 */
export function hitsAmongEverybody(
  terms: SearchTerms,
  { common, sort }: { common: CommonGrams; sort: string },
): RawBuilder<unknown> {
  const names = namesIn(terms)
  const select = sql`select account_id as id, ${sql.ref(sort)} as place from directory where`
  const byPieces = findsWords('search', terms, {
    common,
    on: sql`directory_grams(search, name)`,
    // As `directory_grams` writes a whole name.
    without: names.map((name) => `\n${name}`),
  })
  const parts = [...names.map((name) => sql`name like ${startsWith(name)}`), byPieces]
  return sql.join(
    parts.map((where) => sql`${select} ${where}`),
    sql` union all `,
  )
}

/** Two words as first and last name, and the other way round; the second may be the beginning of one. Nobody is both. */
function namesIn({ words: [one, other, ...more] }: SearchTerms): string[] {
  if (one === undefined || other === undefined || more.length > 0) return []
  return [`${one}\n${other}`, `${other}\n${one}`]
}
