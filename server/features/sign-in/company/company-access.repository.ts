import { type RawBuilder, sql } from 'kysely'
import { isAddressProven, isInDomainOf } from '#server/oidc/address-proof.ts'

/**
 * The SQL condition, on `users u` and `saml_configs c`, for accounts that a company's SAML sign-in may sign in to. The
 * account must be a member of an organisation that uses the configuration. Outside the company's domains, the address
 * must have been proven by mail. Never a super user: a customer would decide who runs the portal.
 */
export const companySignInAllowed: RawBuilder<boolean> = sql<boolean>`(
  u.login_method = 'saml' and u.saml_config_id = c.id and not u.operates
  and exists (
    select from current_memberships m join organizations o using (organization_id)
    where m.account_id = u.account_id and o.login_method = 'saml' and o.saml_config_id = c.id)
  and (${isInDomainOf('u.email', 'c.id')} or ${isAddressProven} and u.email_proof <> 'samlDomain'))`
