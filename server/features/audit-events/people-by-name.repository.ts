import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { matchesWords } from '#server/platform/database/search.ts'
import { isMember } from './events-in-sight.repository.ts'
import { readsOfAll, type Viewer } from './viewer.ts'

/**
 * The labels, which are addresses, of people whose names and address together hold all words. Those whose address alone holds
 * them are found by their label. An admin finds only the own members by name: else a search would tell how a person is called
 * who has left.
 */
export async function findLabelsByName(db: Db, viewer: Viewer, words: readonly string[]): Promise<readonly string[]> {
  const terms = { words }
  const mayFind = readsOfAll(viewer) ? sql`true` : isMember(sql`directory.account_id`, viewer.organizationIds)
  const former = readsOfAll(viewer)
    ? sql`union select email from former_names where ${matchesWords('search', terms)}`
    : sql``
  const { rows } = await sql<{ email: string }>`
    select email collate "C" as email from directory
    where ${matchesWords('search', terms)} and ${matchesWords('person', terms)} and not ${matchesWords('email', terms)} and ${mayFind}
    ${former}`.execute(db)
  return rows.map(({ email }) => email)
}
