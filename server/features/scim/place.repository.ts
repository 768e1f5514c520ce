import { sql } from 'kysely'
import type { Language } from '#contract/roles.ts'
import { isInDomainOf, yieldsTo } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'

/** What an address means for an organisation. */
export interface Place {
  organizationName: string
  /** The organisation's own sign-in, where it covers the address (product-rules 15). */
  samlConfigId: number | null
  account: { accountId: string; operates: boolean; isMember: boolean; yields: boolean } | null
  invitation: { invitationId: string; expired: boolean } | null
}

/** Looks at an address, as it is now. */
export async function findPlace(
  db: Db,
  { organizationId, email }: { organizationId: string; email: string },
  now: Date,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select o.name as "organizationName",
      case when o.login_method = 'saml' and ${isInDomainOf('a.email', 'o.samlConfigId')} then o.saml_config_id end as "samlConfigId",
      (select jsonb_build_object('accountId', u.account_id, 'operates', u.operates, 'isMember', exists (
          select from memberships m where m.account_id = u.account_id and m.organization_id = o.organization_id),
          'yields', ${yieldsTo('o.organization_id')})
        from users u where u.email = a.email) as account,
      (select jsonb_build_object('invitationId', i.invitation_id, 'expired', i.expires_at <= ${now})
        from invitations i where i.email = a.email and i.organization_id = o.organization_id) as invitation
    from organizations o cross join (select ${email}::text as email) a
    where o.organization_id = ${organizationId}`.execute(db)
  return rows[0]
}

/** Whether somebody is the last who can administer the organisation. */
export async function isLastAdmin(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
) {
  const { rows } = await sql<{ last: boolean }>`
    select bool_and(account_id = ${accountId}) as last from standing_admins
    where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.last ?? false
}

/** Whether somebody belongs to an organisation at all. */
export async function hasMemberships(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from memberships where account_id = ${accountId} limit 1`.execute(db)
  return rows.length > 0
}

/** Adds the account of a person whom the organisation's own sign-in lets in, and proves, later. @returns false where the address has one by now */
export async function insertAccount(
  db: Db,
  account: {
    accountId: string
    email: string
    firstName: string | null
    lastName: string | null
    phoneNumber: string | null
    preferredLanguage: Language | null
    samlConfigId: number
    organizationId: string
  },
): Promise<boolean> {
  const { organizationId, ...person } = account
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({
      ...person,
      ...(person.phoneNumber !== null && { phoneClaim: 'admin' as const }),
      loginMethod: 'saml',
      pending: true,
      openedFor: organizationId,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}
