import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { hasApp } from './authenticator-apps.repository.ts'

/** Whether an account has a second factor that can be lost. Everybody can be sent a code by mail. */
export async function hasLosableFactor(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from passkeys where account_id = ${accountId} and ended_at is null) as has`.execute(db)
  return rows[0]?.has === true || (await hasApp(db, accountId))
}
