import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'

interface Holder {
  accountId: string
  organizationId: string
}

/** The last day on which somebody holds all of these, null without an end; undefined: they lack one today. */
export async function findHeldUntil(
  db: Db,
  { accountId, organizationId }: Holder,
  permissions: readonly RolePermission[],
): Promise<{ until: string | null } | undefined> {
  const { rows } = await sql<{ until: string | null }>`select until::text as until
    from held_until(${accountId}::uuid, ${organizationId}::uuid, ${[...permissions]}::text[])`.execute(db)
  return rows[0]
}

const scopedOf = ({ accountId, organizationId }: Holder, { role, scopeId }: Scoped) =>
  sql`account_id = ${accountId} and organization_id = ${organizationId} and scope_id = ${scopeId} and role = ${role}`

/** The last day of somebody's role for a part of an organisation, null without an end; undefined: they do not have it today. */
export async function findScopedUntil(
  db: Db,
  holder: Holder,
  scope: Scoped,
): Promise<{ until: string | null } | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    select valid_until::text as until from grants where ${scopedOf(holder, scope)}`.execute(db)
  return rows[0]
}

/** The same. Nobody takes it from them until the transaction ends, which must lock no account after this. */
export async function lockScopedUntil(db: Db, holder: Holder, scope: Scoped): ReturnType<typeof findScopedUntil> {
  await sql`select from all_grants where ${scopedOf(holder, scope)} for key share`.execute(db)
  return findScopedUntil(db, holder, scope)
}

/** Lets one transaction at a time take power in an organisation: of two, each would still see the other's. */
export const lockAdmins = (db: Db, organizationId: string) =>
  sql`select pg_advisory_xact_lock(hashtext('admins of ' || ${organizationId}::text))`.execute(db)

/** Whether somebody can act today, may everything in the organisation and has no end; with an account, whether that one does. */
export async function hasStandingAdmin(db: Db, organizationId: string, accountId?: string): Promise<boolean> {
  const query = db.selectFrom('standingAdmins').select('accountId').where('organizationId', '=', organizationId)
  const found = accountId === undefined ? query : query.where('accountId', '=', accountId)
  return (await found.limit(1).executeTakeFirst()) !== undefined
}
