import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { ProfileColumns } from './update-profile.ts'

const columns = [
  'accountId',
  'email',
  'firstName',
  'lastName',
  'ssnSealed',
  'phoneNumber',
  'preferredLanguage',
  'loginMethod',
  'superUser',
  'passwordMustChange',
  'version',
] as const

/** The own row, locked until the transaction ends, so that what is compared is what is changed. */
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
