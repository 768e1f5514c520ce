import { sql } from 'kysely'
import type { Scoped } from '#contract/actor.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import type { HeldRole } from '#contract/session/session.ts'
import { heldRoles, scopedRoles } from '#server/accounts/roles.repository.ts'
import { serviceRolesOf } from '#server/oidc/reach/organizations-claim.ts'
import { meetsFloor } from '#server/oidc/reach/sign-in-floor.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'

/** Somebody in an organisation, and the methods of their session where the service says them (RFC 8176). */
export interface Asked {
  accountId: string
  organizationId: string
  amr: readonly string[] | null
}

/** What somebody who has the service in an organisation is there. */
export interface Access {
  memberRole: OrganizationRole
  /** Those of the organisation beside it. */
  portalRoles: HeldRole[] | null
  /** Those for a part of it. */
  scoped: Scoped[] | null
  userRole: ServiceRole
  /** The service's own roles that count in this session. */
  roles: string[]
  /** All that the person has. */
  heldRoles: string[]
}

/**
 * Finds what each of these people is in each organisation today. Undefined for all whom the service does not concern, whatever
 * the reason: strangers, other organisations, access that has ended, accounts that cannot sign in, sessions below the floor.
 */
export async function findAccess(
  db: Db,
  serviceId: string,
  asked: readonly Asked[],
): Promise<(index: number) => Access | undefined> {
  const methods = sql`asked.amr`
  // `(select …)` hides the length of an array from the planner, which would plan each call again.
  const { rows } = await executePrepared(
    db,
    sql<Access & { index: number }>`
      select asked.position::int - 1 as index, m.user_role as "memberRole", ${heldRoles('heldRoles')} as "portalRoles", ${scopedRoles({ today: true })} as scoped, a.user_role as "userRole",
        ${serviceRolesOf(methods)} as roles, ${serviceRolesOf(null)} as "heldRoles"
      from unnest((select ${asked.map(({ accountId }) => accountId)}::uuid[]),
          (select ${asked.map(({ organizationId }) => organizationId)}::uuid[]),
          (select ${asked.map(({ amr }) => amr && JSON.stringify(amr))}::jsonb[]))
        with ordinality as asked (account_id, organization_id, amr, position)
        join current_assignments a on a.account_id = asked.account_id and a.organization_id = asked.organization_id
          and a.service_id = ${serviceId}
        join current_memberships m on m.account_id = a.account_id and m.organization_id = a.organization_id
        join organizations o on o.organization_id = a.organization_id
        join users u on u.account_id = a.account_id
      where not u.pending and u.passive_at is null and (asked.amr is null or ${meetsFloor(methods)})`,
  )
  const byIndex = new Map(rows.map((row) => [row.index, row]))
  return (index) => byIndex.get(index)
}
