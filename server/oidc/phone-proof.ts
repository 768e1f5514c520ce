import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/**
 * An assignment on `users` after a code by text message was used: the number is the person's (`phone_number_verified`). A
 * code lives for ten minutes, so one that was sent to an earlier number proves nothing about a newer one.
 */
export const phoneProof: RawBuilder<unknown> = sql`
  phone_proven_at = case when coalesce(phone_changed_at < now() - interval '10 minutes', true) then now()
    else phone_proven_at end`

export const recordPhoneProof = (db: Db, accountId: string) =>
  sql`update users set ${phoneProof} where account_id = ${accountId}`.execute(db)
