import type { Db } from '#server/platform/database.ts'

/** A super user whose account can be used. */
export const findAnySuperUser = (db: Db) =>
  db
    .selectFrom('users')
    .select('accountId')
    .where('superUser', '=', true)
    .where('pending', '=', false)
    .limit(1)
    .executeTakeFirst()

/** @returns the id of a new account, undefined where the address has one */
export const insertFirstSuperUser = async (db: Db, { accountId, email }: { accountId: string; email: string }) => {
  const row = await db
    .insertInto('users')
    .values({ accountId, email, loginMethod: 'local', superUser: true, pending: true })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('accountId')
    .executeTakeFirst()
  return row?.accountId
}

/** The super user to be with this address, locked, and when the invitation runs out, if there is one. */
export const findPendingSuperUser = (db: Db, email: string) =>
  db
    .selectFrom('users as u')
    .leftJoin('invitations as i', (join) =>
      join.onRef('i.accountId', '=', 'u.accountId').on('i.organizationId', 'is', null),
    )
    .select(['u.accountId', 'u.loginMethod', 'u.preferredLanguage', 'i.expiresAt'])
    .where('u.email', '=', email)
    .where('u.pending', '=', true)
    .where('u.superUser', '=', true)
    .forUpdate('u')
    .executeTakeFirst()
