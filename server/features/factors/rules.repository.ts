import { sql } from 'kysely'
import type { SignInRules, SignInRulesForm } from '#contract/factors/rules.ts'
import { phoneForCodes } from '#server/credentials/factors/phone-for-codes.repository.ts'
import { meetsFloor } from '#server/oidc/reach/sign-in-floor.ts'
import { currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { localList, ownProofs, strongLogins } from '#server/platform/database/method-lists.ts'

const columns = [
  'o.organizationId',
  'o.secondFactors',
  sql<string | null>`o.strong_admins_from::text`.as('strongAdminsFrom'),
  'o.sessionIdleMinutes',
  'o.sessionMaxHours',
  'o.maxPasswordAgeDays',
] as const

export const findRules = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations as o')
    .select([...columns, 'o.name'])
    .where('o.organizationId', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst() as Promise<(SignInRules & { name: string }) | undefined>

export const updateRules = (db: Db, organizationId: string, rules: SignInRulesForm) =>
  db.updateTable('organizations').set(rules).where('organizationId', '=', organizationId).execute()

/** The rules of a person's organisations, of those that have any. */
export const listOwnRules = (db: Db, accountId: string) =>
  db
    .selectFrom(currentMemberships)
    .innerJoin('organizations as o', 'o.organizationId', 'm.organizationId')
    .select([
      ...columns,
      'o.name',
      sql<boolean>`m.user_role = 'organizationAdmin' or decides_over_others(m.account_id, m.organization_id)`.as(
        'isAdmin',
      ),
    ])
    .where('m.accountId', '=', accountId)
    .where((eb) =>
      eb.or(
        (
          ['secondFactors', 'strongAdminsFrom', 'sessionIdleMinutes', 'sessionMaxHours', 'maxPasswordAgeDays'] as const
        ).map((rule) => eb(`o.${rule}`, 'is not', null)),
      ),
    )
    .orderBy('o.name')
    .orderBy('o.organizationId')
    .execute() as Promise<(SignInRules & { name: string; isAdmin: boolean })[]>

/** Whether a session with these methods meets what an organisation asks of a member. */
export async function reaches(
  db: Db,
  { organizationId, accountId, amr }: { organizationId: string; accountId: string; amr: readonly string[] },
): Promise<boolean> {
  const row = await db
    .selectFrom(currentMemberships)
    .innerJoin('organizations as o', 'o.organizationId', 'm.organizationId')
    .innerJoin('users as u', 'u.accountId', 'm.accountId')
    .select(meetsFloor(sql`${JSON.stringify(amr)}::jsonb`).as('reached'))
    .where('m.organizationId', '=', organizationId)
    .where('m.accountId', '=', accountId)
    .executeTakeFirst()
  return row?.reached ?? false
}

/** The sessions of its people end as the new rules say; the trigger on sessions shortens each. */
export const shortenSessions = (db: Db, organizationId: string) =>
  sql`
    update sessions s set expires_at = s.expires_at from current_memberships m
    where m.organization_id = ${organizationId} and s.account_id = m.account_id`.execute(db)

/** Admins who cannot sign in as `strongAdminsFrom` will ask: with a password, and without a key. */
export const listAdminsWithoutKey = async (db: Db, organizationId: string, rpId: string) => {
  const { rows } = await sql<{ accountId: string; name: string; email: string }>`
    select u.account_id as "accountId", concat_ws(' ', u.first_name, u.last_name) as name, u.email
    from current_memberships m join users u using (account_id)
    where m.organization_id = ${organizationId} and u.login_method not in (${strongLogins})
      and (m.user_role = 'organizationAdmin' or decides_over_others(m.account_id, m.organization_id))
      and not exists (select from passkeys p
        where p.account_id = u.account_id and p.rp_id = ${rpId} and p.ended_at is null and (p.verified or not p.on_the_way))
    order by u.first_name, u.last_name, u.account_id`.execute(db)
  return rows
}

/** How many members with a password have nothing that outlasts a reset by mail. */
export const countByMailAlone = async (db: Db, organizationId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from current_memberships m join users u using (account_id)
    where m.organization_id = ${organizationId} and u.login_method in (${localList}) and not u.pending
      and ${phoneForCodes} is null and (u.ssn_proof in (${ownProofs}) and u.ssn_claim is null) is not true
      and not exists (select from authenticator_apps a where a.account_id = u.account_id)
      and not exists (select from passkeys p
        where p.account_id = u.account_id and p.ended_at is null and (p.verified or not p.on_the_way))`.execute(db)
  return rows[0]?.count ?? 0
}
