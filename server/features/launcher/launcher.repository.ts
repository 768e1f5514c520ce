import type { Db } from '#server/platform/database/database.ts'

/** A person's services in one organisation, in Swedish alphabetical order. */
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

/** Finds a membership. The caller cannot tell a missing organisation from one of others. */
export const findMembership = (db: Db, { accountId, organizationId }: { accountId: string; organizationId: string }) =>
  db
    .selectFrom('memberships')
    .select('userRole')
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()

/** Finds an account by its id. */
export const findAccount = (db: Db, accountId: string) =>
  db.selectFrom('users').select('accountId').where('accountId', '=', accountId).executeTakeFirst()
