import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import type { Period } from '#contract/fields/period.ts'
import type { ScopedHolder } from '#contract/scoped-roles/scoped-roles.ts'
import { dayColumns } from '#server/platform/database/current-access.ts'
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

const holders = (db: Db, { organizationId, scopeId }: Scope) =>
  db
    .selectFrom('scopedRoles as s')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.accountId', '=', 's.accountId').onRef('m.organizationId', '=', 's.organizationId'),
    )
    .select(['s.accountId', 'm.email', sql<string | null>`nullif(m.first_name, '')`.as('firstName')])
    .select([sql<string | null>`nullif(m.last_name, '')`.as('lastName')])
    .select([
      sql<string | null>`s.valid_from::text`.as('validFrom'),
      sql<string | null>`s.valid_until::text`.as('validUntil'),
    ])
    .where('s.organizationId', '=', organizationId)
    .where('s.scopeId', '=', scopeId)

/** Who has the role for a part, by address. */
export const listHolders = (db: Db, scope: Scope): Promise<ScopedHolder[]> =>
  holders(db, scope).orderBy('m.email').orderBy('s.accountId').execute()

/** Somebody who has it. */
export const findHolder = (db: Db, scope: Scope, accountId: string): Promise<ScopedHolder | undefined> =>
  holders(db, scope).where('s.accountId', '=', accountId).executeTakeFirst()

/** A member's roles for parts, with their last day. */
export async function listScopes(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
): Promise<(Named & { email: string; validUntil: string | null })[]> {
  const { rows } = await sql<Named & { email: string; validUntil: string | null }>`
    select r.organization_id as "organizationId", r.role_key as role, r.scope_id as "scopeId", coalesce(s.name, g.name) as name,
      u.email, r.valid_until::text as "validUntil"
    from scoped_roles r join users u using (account_id) left join services s using (service_id) left join groups g using (group_id)
    where r.account_id = ${accountId} and r.organization_id = ${organizationId} order by r.scope_id`.execute(db)
  return rows
}

/** Gives a member the role, or other days of it. */
export async function giveScoped(
  db: Db,
  { organizationId, role, scopeId }: Scope,
  accountId: string,
  { validFrom = null, validUntil = null }: Period,
): Promise<void> {
  const days = dayColumns({ validFrom, validUntil })
  const part = role === 'groupAdmin' ? { groupId: scopeId } : { serviceId: scopeId }
  await db
    .insertInto('scopedRoles')
    .values({ accountId, organizationId, ...part, ...days })
    .onConflict((conflict) => conflict.columns(['accountId', 'organizationId', 'scopeId']).doUpdateSet(days))
    .execute()
}

/** Takes the role from somebody. */
export const takeScoped = (db: Db, { organizationId, scopeId }: Scope, accountId: string) =>
  db
    .deleteFrom('scopedRoles')
    .where('accountId', '=', accountId)
    .where('organizationId', '=', organizationId)
    .where('scopeId', '=', scopeId)
    .execute()
