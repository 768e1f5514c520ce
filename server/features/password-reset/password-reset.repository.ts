import { sql } from 'kysely'
import { awaitsFirstSignIn } from '#server/oidc/first-sign-in.ts'
import type { Db } from '#server/platform/database.ts'

/** The person with this address, as far as a reset needs to know: locked, so that of two requests one comes first. */
export const findPersonForUpdate = (db: Db, email: string) =>
  person(db).where('u.email', '=', email).forUpdate('u').executeTakeFirst()

/** The same, for whoever only asks. */
export const findPersonById = (db: Db, accountId: string) =>
  person(db).where('u.accountId', '=', accountId).executeTakeFirst()

export type ResetPerson = NonNullable<Awaited<ReturnType<typeof findPersonById>>>
export type PasswordOwner = Pick<ResetPerson, 'accountId' | 'email' | 'firstName' | 'preferredLanguage'>

const person = (db: Db) =>
  db
    .selectFrom('users as u')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.lastName', 'u.loginMethod', 'u.superUser'])
    .select(['u.preferredLanguage', 'u.pending', 'u.passiveAt'])
    .select([
      sql<string[]>`array(select organization_id::text from memberships m where m.account_id = u.account_id)`.as(
        'organizationIds',
      ),
      sql<string[]>`array(
        select o.name from memberships m join organizations o using (organization_id)
        where m.account_id = u.account_id order by o.name)`.as('organizationNames'),
      awaitsFirstSignIn.as('awaited'),
    ])

/** Sets a new password, where the account has one at all. @returns false where it does not (any more) */
export async function setPassword(
  db: Db,
  accountId: string,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ passwordHash, passwordMustChange: false, passwordChangedAt: now, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .where('loginMethod', 'in', ['local', 'local2FA'])
    .where('pending', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Keeps links from being mailed that stopped working before they left. */
export const withdrawResetMails = (db: Db, accountId: string, now: Date) =>
  db
    .updateTable('outboxMessages')
    .set({ state: 'dropped', reason: 'its link was replaced or ended', sealed: Buffer.alloc(0), finishedAt: now })
    .where('accountId', '=', accountId)
    .where('template', '=', 'reset-password')
    .where('state', 'in', ['queued', 'failed'])
    .execute()
