import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import type { ScopedHolder } from '#contract/scoped-roles/scoped-roles.ts'
import { periodOf } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/** A part of an organisation, for which somebody can have a role. */
export interface Scope extends Scoped {
  organizationId: string
}

/** A part with its name. */
export type Named = Scope & { name: string }

export const findGroup = (db: Db, groupId: string) =>
  db
    .selectFrom('groups')
    .select(['groupId', 'organizationId', 'name'])
    .where('groupId', '=', groupId)
    .executeTakeFirst()

/** A service that an organisation has. */
export const findOffer = (db: Db, { organizationId, serviceId }: { organizationId: string; serviceId: string }) =>
  db
    .selectFrom('organizationServices as o')
    .innerJoin('services as s', 's.serviceId', 'o.serviceId')
    .select(['o.serviceId', 'o.organizationId', 's.name'])
    .where('o.organizationId', '=', organizationId)
    .where('o.serviceId', '=', serviceId)
    .executeTakeFirst()

/** Who has the role for a part, by address. */
export const listHolders = (db: Db, { organizationId, scopeId, role }: Scope): Promise<ScopedHolder[]> =>
  db
    .selectFrom('allGrants as g')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.accountId', '=', 'g.accountId').onRef('m.organizationId', '=', 'g.organizationId'),
    )
    .select(['g.accountId', 'm.email', sql<string | null>`nullif(m.first_name, '')`.as('firstName')])
    .select([sql<string | null>`nullif(m.last_name, '')`.as('lastName'), ...periodOf('g')])
    .where('g.organizationId', '=', organizationId)
    .where('g.scopeId', '=', scopeId)
    .where('g.role', '=', role)
    .orderBy('m.email')
    .orderBy('g.accountId')
    .execute()
