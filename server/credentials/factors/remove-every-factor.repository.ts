import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { deleteApp, hasApp } from './authenticator-apps.repository.ts'
import { deleteRecoveryCodes } from './recovery-codes.repository.ts'

/** Whether an account has a second factor that can be lost. Everybody can be sent a code by mail. */
export async function hasLosableFactor(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from passkeys where account_id = ${accountId} and ended_at is null) as has`.execute(db)
  return rows[0]?.has === true || (await hasApp(db, accountId))
}

/**
 * Takes off every second factor of an account. Until the person has chosen one, before anything else, sign-in asks for a code by
 * mail: the password alone is never enough.
 */
export async function removeEveryFactor(db: Db, accountId: string, now: Date): Promise<void> {
  await deleteApp(db, accountId)
  await deleteRecoveryCodes(db, accountId)
  await db
    .updateTable('passkeys')
    .set({ endedAt: now, endedBecause: 'removed' })
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .execute()
  await db.updateTable('users').set({ usualFactor: null, mustEnrol: true }).where('accountId', '=', accountId).execute()
}
