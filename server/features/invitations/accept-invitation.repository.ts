import { sql } from 'kysely'
import type { Language } from '#contract/roles.ts'
import type { Db } from '#server/platform/database.ts'

/** What a person fills in, and whether the account can be used from now on. */
export interface Acceptance {
  firstName: string
  lastName: string
  preferredLanguage: Language
  ssnSealed?: Buffer | null
  ssnIndex?: Buffer | null
  passwordHash: string | null
  pending: boolean
}

/** Writes what the person filled in. */
export const writeAcceptance = (db: Db, accountId: string, { passwordHash, ...columns }: Acceptance, now: Date) =>
  db
    .updateTable('users')
    .set({
      ...columns,
      ...(passwordHash === null ? {} : { passwordHash, passwordChangedAt: now }),
      ...(columns.pending ? {} : { lastActive: now }),
      version: sql`version + 1`,
    })
    .where('accountId', '=', accountId)
    .execute()

/** Uses the link up. */
export const markAccepted = (db: Db, invitationId: string, now: Date) =>
  db.updateTable('invitations').set({ acceptedAt: now }).where('invitationId', '=', invitationId).execute()

/** Removes the number that a pending person had given. */
export const forgetSsn = (db: Db, accountId: string) =>
  db
    .updateTable('users')
    .set({ ssnSealed: null, ssnIndex: null, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .where('pending', '=', true)
    .execute()

/** @returns whether the person was waiting for exactly this */
export const activateAccepted = async (db: Db, accountId: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ pending: false, lastActive: now, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .where('pending', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('invitations')
          .select('invitationId')
          .whereRef('invitations.accountId', '=', 'users.accountId')
          .whereRef('invitations.loginMethod', '=', 'users.loginMethod')
          .where('acceptedAt', 'is not', null),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
