import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Finds and locks the organisation until the transaction ends. */
export const findOrganizationForUpdate = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select(['name', 'samlConfigId'])
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()

/** Prepares the configuration for an organisation that has none; how its people sign in is decided in its settings. */
export async function attachToOrganization(db: Db, organizationId: string, samlConfigId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set({ samlConfigId, version: sql`version + 1` })
    .where('organizationId', '=', organizationId)
    .where('samlConfigId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
