import { sql } from 'kysely'
import { powersOverOthers } from '#contract/organization-roles/role-permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Kept } from './scim-users.repository.ts'

/**
 * Whether what somebody had of power over others comes back: only while who makes the request may give all of it, without an end.
 * For a directory that is who answers for its token (decision 0087).
 */
export async function mayRestorePower(
  db: Db,
  organizationId: string,
  { id, tokenId }: { id: string; tokenId: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select ${id}::uuid as decider where ${tokenId ?? null}::uuid is null
      union all
      select t.answers_for from scim_tokens t
        where t.token_id = ${tokenId ?? null} and t.organization_id = ${organizationId}) as decides
      cross join lateral held_until(decider, ${organizationId}, every_permission()) as h
    where h.until is null`.execute(db)
  return rows.length > 0
}

const hasPower = (permissions: readonly string[]) => powersOverOthers.some((one) => permissions.includes(one))

/** The same without what lets somebody decide what others may. Undefined where there is no such thing. */
export function withoutPower(kept: Kept): Kept | undefined {
  const { userRole, services, roles } = kept
  const powerless = {
    ...kept,
    ...{ userRole: 'regular' as const, roleFrom: null, roleUntil: null },
    services: services.map((one) => ({ ...one, userRole: 'regular' as const })),
    roles: roles.filter(({ permissions }) => !hasPower(permissions)),
  }
  const had = userRole !== 'regular' || services.some((one) => one.userRole !== 'regular')
  return had || powerless.roles.length < roles.length ? powerless : undefined
}
