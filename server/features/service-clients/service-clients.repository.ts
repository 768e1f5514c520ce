import { currentAssignments } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The service with this id. */
export const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select('serviceId').where('serviceId', '=', serviceId).executeTakeFirst()

/** Finds the service and locks it, so that two people who save its client take turns. */
export const lockService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select('serviceId').where('serviceId', '=', serviceId).forUpdate().executeTakeFirst()

/** Where the one who tries has the service, so that no page has to ask. */
export const findFirstOrganization = async (
  db: Db,
  accountId: string,
  serviceId: string,
): Promise<string | undefined> => {
  const found = await db
    .selectFrom(currentAssignments)
    .select('organizationId')
    .where('accountId', '=', accountId)
    .where('serviceId', '=', serviceId)
    .orderBy('organizationId')
    .executeTakeFirst()
  return found?.organizationId
}

/** Remembers who has read the present secret of a client. */
export const noteSecretMaker = (db: Db, clientId: string, accountId: string) =>
  db.updateTable('clients').set({ secretMadeBy: accountId }).where('clientId', '=', clientId).execute()
