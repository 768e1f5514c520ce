import { currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Who enters a service, for an event. With the organisations that have the service: others must not learn what their people use
 * elsewhere.
 */
export async function readEnteringPerson(db: Db, accountId: string, serviceId: string) {
  const user = await db.selectFrom('users').select('email').where('accountId', '=', accountId).executeTakeFirstOrThrow()
  const memberships = await db
    .selectFrom(currentMemberships)
    .innerJoin('organizationServices as s', 's.organizationId', 'm.organizationId')
    .select('m.organizationId')
    .where('m.accountId', '=', accountId)
    .where('s.serviceId', '=', serviceId)
    .execute()
  return {
    id: accountId,
    label: user.email,
    organizationIds: memberships.map((membership) => membership.organizationId),
  }
}
