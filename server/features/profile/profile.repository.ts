import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'

/** The columns that a person may change. */
export type ProfileColumns = Partial<
  Pick<DB['users'], 'firstName' | 'lastName' | 'phoneNumber' | 'preferredLanguage' | 'ssnSealed' | 'ssnIndex'> & {
    ssnProof: null
    ssnProvenAt: null
  }
>

const columns = [
  'accountId',
  'email',
  'firstName',
  'lastName',
  'ssnSealed',
  'ssnProof',
  'phoneNumber',
  'preferredLanguage',
  'loginMethod',
  'superUser',
  'passwordMustChange',
  'version',
] as const

/** Finds and locks the user's own row until the transaction ends. */
export const findOwnForUpdate = (db: Db, accountId: string) =>
  db
    .selectFrom('users')
    .select([...columns, 'passwordHash'])
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
