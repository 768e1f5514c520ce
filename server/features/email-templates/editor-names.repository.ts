import type { Db } from '#server/platform/database/database.ts'

/** Who reads a sample. */
export const findReader = (db: Db, accountId: string) =>
  db
    .selectFrom('users')
    .select(['firstName', 'email', 'preferredLanguage'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()

/** The organisation that a text is for. */
export const findOrganization = (db: Db, organizationId: string) =>
  db.selectFrom('organizations').select('name').where('organizationId', '=', organizationId).executeTakeFirst()
