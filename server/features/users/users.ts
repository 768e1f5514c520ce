// The public interface of this room: what other rooms may read of people.
import type { Membership } from '#contract/session.ts'
import type { Assignment } from '#contract/users.ts'
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

/** A person's organisations, in Swedish alphabetical order. */
export const listMemberships = (db: Db, accountId: string): Promise<Membership[]> =>
  db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.organizationId', 'memberships.organizationId')
    .select(['organizations.organizationId', 'name', 'organizationNumber', 'userRole'])
    .where('accountId', '=', accountId)
    .orderBy('name')
    .orderBy('organizations.organizationId')
    .execute()

/** A person's services in all organisations, in Swedish alphabetical order. */
export const listAssignments = (db: Db, accountId: string): Promise<Assignment[]> =>
  db
    .selectFrom('serviceAssignments')
    .innerJoin('services', 'services.serviceId', 'serviceAssignments.serviceId')
    .innerJoin('organizations', 'organizations.organizationId', 'serviceAssignments.organizationId')
    .select([
      'services.serviceId',
      'services.name',
      'services.url',
      'organizations.organizationId',
      'organizations.name as organizationName',
      'userRole',
    ])
    .where('accountId', '=', accountId)
    .orderBy('services.name')
    .orderBy('organizations.name')
    .orderBy('services.serviceId')
    .orderBy('organizations.organizationId')
    .execute()
