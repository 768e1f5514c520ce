import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * For the `from` of a statement that runs by itself: its commit is not waited for until it is on the disk. Everybody sees
 * it at once; a crash of PostgreSQL within the next half second may lose it, together with all that came after, because
 * there is one log and it is written in order. A later commit that is waited for therefore keeps this one too
 * (decision 0010: only where such a commit comes before anybody is told of it, or where losing it costs nothing).
 *
 * @throws Error (a bug) in a transaction, whose other changes it would take along
 */
export function committedSoon(db: Db): RawBuilder<unknown> {
  if (db.isTransaction) throw new Error('a part of a transaction has no commit of its own')
  return sql`(select set_config('synchronous_commit', 'off', true)) as committed_soon`
}
