import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { localList } from '#server/platform/database/method-lists.ts'

interface Locked {
  accountId: string
  email: string
  organizationIds: string[]
}

/** Locks the sign-in of an account that has a password; no browser is known to it any more. @returns the account, locked or not; undefined where it is gone */
export async function lockAccount(db: Db, accountId: string, now: Date): Promise<Locked | undefined> {
  const { rows } = await sql<Locked>`
    update users u set browsers_known_from = ${now}, sign_in_locked_at = case when login_method in (${localList}) then ${now}::timestamptz end
    where account_id = ${accountId}
    returning account_id as "accountId", email,
      array(select organization_id::text from current_memberships m where m.account_id = u.account_id) as "organizationIds"`.execute(
    db,
  )
  return rows[0]
}
