import type { Db } from '#server/platform/database/database.ts'

/** Who gets mails that concern the whole portal. */
export const listSuperUsers = (db: Db) =>
  db
    .selectFrom('users')
    .select(['accountId', 'email', 'firstName', 'preferredLanguage'])
    .where('superUser', '=', true)
    .where('pending', '=', false)
    .orderBy('accountId')
    .execute()
