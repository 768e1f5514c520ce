import { type RawBuilder, sql } from 'kysely'

/**
 * The condition on `users u` for a pending account, accepted with BankID or company sign-in. The first sign-in of the same
 * person activates it. A password never does, because an account accepted with a password is not pending.
 */
export const awaitsFirstSignIn: RawBuilder<boolean> = sql`(
  u.pending and u.passive_at is null and u.login_method in ('bankid', 'saml'))`
