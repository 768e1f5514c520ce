import { sql } from 'kysely'
import { localMethods } from '#contract/login-methods.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Sets a new password. @returns false if the account's login method has no password (any more) */
export async function setPassword(
  db: Db,
  accountId: string,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({
      passwordHash,
      passwordMustChange: false,
      passwordChangedAt: now,
      signInLockedAt: null,
      version: sql`version + 1`,
    })
    .where('accountId', '=', accountId)
    .where('loginMethod', 'in', localMethods)
    .where('pending', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Notes that the password was reset by mail: a code by mail proves nothing more, and no browser is known.
 *
 * @returns false where it had come by mail before, too
 */
export async function notePasswordFromMail(db: Db, accountId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    with former as (select not password_from_mail as "isFirst" from users where account_id = ${accountId})
    update users set password_from_mail = true, browsers_known_from = ${now} from former
    where account_id = ${accountId} returning "isFirst"`.execute(db)
  return rows[0]?.isFirst ?? false
}

/** Asks for a new password in place of this one. @returns false where that is asked for already, or the password has changed */
export async function requireNewPassword(
  db: Db,
  { accountId, passwordHash }: { accountId: string; passwordHash: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ passwordMustChange: true, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .where('passwordHash', '=', passwordHash)
    .where('passwordMustChange', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Withdraws queued mails whose links are no longer valid. */
export const withdrawResetMails = (db: Db, accountId: string, now: Date) =>
  db
    .updateTable('outboxMessages')
    .set({ state: 'dropped', reason: 'its link was replaced or ended', sealed: Buffer.alloc(0), finishedAt: now })
    .where('accountId', '=', accountId)
    .where('template', '=', 'reset-password')
    .where('state', 'in', ['queued', 'failed'])
    .execute()
