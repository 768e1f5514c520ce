import type { Db } from '#server/platform/database.ts'

export const listSamlConfigs = (db: Db) =>
  db.selectFrom('samlConfigs').select(['id', 'name', 'domain']).orderBy('name').orderBy('id').execute()
