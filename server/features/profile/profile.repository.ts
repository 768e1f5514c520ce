import { sql } from 'kysely'
import type { ownFields } from '#contract/profile/profile.ts'
import { type CurrentUser, currentUser } from '#contract/session/session.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'

/** The columns that a person may change. */
export type ProfileColumns = Partial<
  Omit<StoredFields, 'ssn'> &
    Pick<DB['users'], 'ssnSealed' | 'ssnIndex'> & {
      ssnProof: null
      ssnProvenAt: null
      ssnClaim: 'password' | null
      ssnEnteredAt: Date
      phoneClaim: 'password' | null
      phoneEnteredAt: Date
    }
>
type StoredFields = Pick<CurrentUser, keyof typeof ownFields.shape>

// The number is sealed, and the session knows the rest: how it began, what must be done first, and today's role in the portal.
const { ssn: _, ssnConfirmed: __, signedInWith: ___, mustEnrol: ____, portalRole: _____, ...stored } = currentUser.shape
const columns = [...(Object.keys(stored) as (keyof typeof stored)[]), 'ssnSealed', 'ssnProof'] as const

/** Finds and locks the user's own row until the transaction ends. */
export const findOwnForUpdate = (db: Db, accountId: string) =>
  db
    .selectFrom('users')
    .select([...columns, 'passwordHash', 'ssnClaim', 'phoneClaim', 'passwordFromMail'])
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst()

export const updateOwn = (db: Db, accountId: string, changes: ProfileColumns) =>
  db
    .updateTable('users')
    .set({ ...changes, version: sql`version + 1` })
    .where('accountId', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow()
