import type { Db } from '#server/platform/database.ts'

/** Somebody's services in one organisation, by the Swedish alphabet. */
export const listServices = (db: Db, { accountId, organizationId }: { accountId: string; organizationId: string }) =>
  db
    .selectFrom('serviceAssignments')
    .innerJoin('services', 'services.serviceId', 'serviceAssignments.serviceId')
    .select(['services.serviceId', 'services.name', 'services.url', 'serviceAssignments.userRole'])
    .where('serviceAssignments.accountId', '=', accountId)
    .where('serviceAssignments.organizationId', '=', organizationId)
    .orderBy('services.name')
    .orderBy('services.serviceId')
    .execute()

/** Is there such a membership? A foreign and a missing one look the same to the caller. */
export const findMembership = (db: Db, { accountId, organizationId }: { accountId: string; organizationId: string }) =>
  db
    .selectFrom('memberships')
    .select('userRole')
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Is there such a person? */
export const findAccount = (db: Db, accountId: string) =>
  db.selectFrom('users').select('accountId').where('accountId', '=', accountId).executeTakeFirst()
