import { type RawBuilder, sql } from 'kysely'
import { isCompany, type LoginMethod } from '#contract/login-methods.ts'
import type { Db } from '#server/platform/database/database.ts'

interface OrganizationSignIn {
  loginMethod: LoginMethod
  samlConfigId: number | null
  requireLoginMethod: boolean
}

/** Whether a change begins to ask for organisation sign-in, or for another one, or of more people. */
export const beginsToAskForSaml = (before: OrganizationSignIn, after: OrganizationSignIn): boolean =>
  isCompany(after.loginMethod) &&
  (before.loginMethod !== after.loginMethod ||
    before.samlConfigId !== after.samlConfigId ||
    (after.requireLoginMethod && !before.requireLoginMethod))

/**
 * The members `m` whom organisation sign-in would keep out: people with accounts from elsewhere, which do not use this
 * configuration (product-rules 11.4).
 */
const isLockedOut = (
  organizationId: string,
  { samlConfigId, requireLoginMethod }: Omit<OrganizationSignIn, 'loginMethod'>,
): RawBuilder<boolean> => sql<boolean>`
  m.organization_id = ${organizationId} and (m.entry = 'joined' or (m.entry = 'opened' and ${requireLoginMethod}))
  and exists (
    select from users u where u.account_id = m.account_id and u.saml_config_id is distinct from ${samlConfigId}::integer)`

export async function countLockedOut(
  db: Db,
  organizationId: string,
  asked: Omit<OrganizationSignIn, 'loginMethod'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from memberships m where ${isLockedOut(organizationId, asked)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lets these members keep their own sign-in method, as the super user chose. @returns how many */
export async function makeGuests(
  db: Db,
  organizationId: string,
  asked: Omit<OrganizationSignIn, 'loginMethod'>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update memberships m set entry = 'guest' where ${isLockedOut(organizationId, asked)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}
