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

/** Uses the link up, and notes whether whoever accepted said a number that nobody had registered. */
export const markAccepted = (db: Db, invitationId: string, { now, ssnGiven }: { now: Date; ssnGiven: boolean }) =>
  db.updateTable('invitations').set({ acceptedAt: now, ssnGiven }).where('invitationId', '=', invitationId).execute()

/** Removes the number that a pending person gave; what an admin registered stays. @returns whether there was one */
export async function forgetGivenSsn(db: Db, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ ssnGiven: false })
    .where('accountId', '=', accountId)
    .where('ssnGiven', '=', true)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('users')
    .set({ ssnSealed: null, ssnIndex: null, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .where('pending', '=', true)
    .execute()
  return true
}
