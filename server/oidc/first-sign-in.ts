import { type RawBuilder, sql } from 'kysely'

/**
 * The condition on `users u` for somebody who is pending and has accepted an invitation with BankID or the company's own
 * sign-in: the first sign-in that proves the same person makes the account usable. A password never does, because
 * whoever accepts with one is not pending any more.
 */
export const awaitsFirstSignIn: RawBuilder<boolean> = sql`(
  u.pending and u.passive_at is null and u.login_method in ('bankid', 'saml') and exists (
    select from invitations i
    where i.account_id = u.account_id and i.login_method = u.login_method and i.accepted_at is not null))`
