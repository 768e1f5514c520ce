import { sql } from 'kysely'
import { type SecondFactorKind, secondFactorKinds } from '#contract/second-factors.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The second factors that each organisation of a person takes, of those that do not take every one. As `meets_floor` says. */
export async function listCountingFactors(db: Db, accountId: string): Promise<Map<string, SecondFactorKind[]>> {
  const { rows } = await sql<{ organizationId: string; kinds: string[] | null }>`
    select o.organization_id as "organizationId",
      case when m.user_role = 'organizationAdmin'
          and o.strong_admins_from <= (now() at time zone 'Europe/Stockholm')::date
        then array['passkey'] else o.second_factors end as kinds
    from current_memberships m join organizations o using (organization_id) where m.account_id = ${accountId}`.execute(
    db,
  )
  return new Map(
    rows.flatMap(({ organizationId, kinds }) =>
      kinds ? [[organizationId, secondFactorKinds.filter((kind) => kinds.includes(kind))] as const] : [],
    ),
  )
}
