import { sql } from 'kysely'
import { isAddressProven, isInDomainOf } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import { companyList } from '#server/platform/database/method-lists.ts'

/** The account of a session, and whether it has proven to own its address. */
const account = (db: Db, accountId: string) =>
  db
    .selectFrom('users as u')
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.lastName', 'u.emailProof', isAddressProven.as('isProven')])
    .select(['u.loginMethod', 'u.samlConfigId', sql<boolean>`u.ssn_sealed is not null`.as('hasNumber')])
    // With SAML, a company decides who signs in. Outside its domains that does not prove who owns the address.
    .select(
      sql<boolean>`u.login_method not in (${companyList}) or ${isInDomainOf('u.email', 'u.samlConfigId')}`.as(
        'isOwners',
      ),
    )
    .where('u.accountId', '=', accountId)

export const findOwnAccount = (db: Db, accountId: string) => account(db, accountId).executeTakeFirst()
export const lockOwnAccount = (db: Db, accountId: string) =>
  account(db, accountId).forNoKeyUpdate('u').executeTakeFirst()

/** Whether an account may answer invitations to its address: the address is proven, and its owner decides who signs in. */
export const speaksForAddress = ({ isProven, isOwners }: { isProven: boolean; isOwners: boolean }) =>
  isProven && isOwners

/** The open invitations of an address to organisations that the account is not a member of, oldest first. */
export const listOpenInvitations = (
  db: Db,
  { email, accountId, now }: { email: string; accountId: string; now: Date },
) =>
  db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.organizationId', 'i.organizationId')
    .leftJoin('users as inviter', 'inviter.accountId', 'i.invitedBy')
    .select(['i.invitationId', 'o.name as organizationName', 'i.message', 'i.expiresAt'])
    .select(['i.guest', 'o.loginMethod', 'o.samlConfigId'])
    .select(
      sql<string | null>`case when not inviter.operates or exists (
          select from current_memberships colleague
          where colleague.account_id = inviter.account_id and colleague.organization_id = i.organization_id)
        then coalesce(nullif(concat_ws(' ', inviter.first_name, inviter.last_name), ''), inviter.email) end`.as(
        'inviterName',
      ),
    )
    .where('i.email', '=', email)
    .where('i.expiresAt', '>', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships as m')
            .select('m.accountId')
            .where('m.accountId', '=', accountId)
            .whereRef('m.organizationId', '=', 'i.organizationId'),
        ),
      ),
    )
    .orderBy('i.createdAt')
    .orderBy('i.invitationId')
    .execute()
