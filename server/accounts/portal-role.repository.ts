import { sql } from 'kysely'
import type { PortalRole } from '#contract/portal-roles.ts'
import { dayColumns, periodOf } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Somebody's role in the portal, with its days. */
export interface StoredPortalRole {
  portalRole: PortalRole | null
  portalRoleFrom: string | null
  portalRoleUntil: string | null
}

const ofAccount = (db: Db, accountId: string) =>
  db.selectFrom('allGrants as g').where('g.accountId', '=', accountId).where('g.organizationId', 'is', null)

/** Also one that begins later or has ended. */
export async function readPortalRole(db: Db, accountId: string): Promise<StoredPortalRole> {
  const row = await ofAccount(db, accountId)
    .select(['g.role', ...periodOf('g')])
    .executeTakeFirst()
  return {
    // The database refuses every other role.
    portalRole: (row?.role ?? null) as PortalRole | null,
    portalRoleFrom: row?.validFrom ?? null,
    portalRoleUntil: row?.validUntil ?? null,
  }
}

/**
 * Gives a role in the portal, another one, other days of it, or none. The statement before has set `hasPortalRole` with the
 * rest of the account: it operates the portal, or does not, without a moment in between (decision 0088).
 */
export async function setPortalRole(
  db: Db,
  accountId: string,
  { portalRole, portalRoleFrom, portalRoleUntil }: StoredPortalRole,
  givenBy: string | null,
): Promise<void> {
  const role = {
    roleKey: portalRole,
    ...dayColumns({ validFrom: portalRoleFrom, validUntil: portalRoleUntil }),
    givenBy,
  }
  if (portalRole === null)
    await db.deleteFrom('allGrants').where('accountId', '=', accountId).where('organizationId', 'is', null).execute()
  else
    await db
      .insertInto('allGrants')
      .values({ accountId, ...role })
      .onConflict((conflict) => conflict.column('accountId').where('organizationId', 'is', null).doUpdateSet(role))
      .execute()
}

/** Makes yesterday the last day of a role in the portal, which still keeps organisations away from the account. @returns whether it had not ended */
export async function endPortalRole(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    update all_grants set valid_until = least(valid_until, access_day() - 1), 
      valid_from = case when valid_from >= access_day() then access_day() - 1 else valid_from end
    where account_id = ${accountId} and organization_id is null and coalesce(valid_until >= access_day(), true)
    returning role`.execute(db)
  return rows.length > 0
}
