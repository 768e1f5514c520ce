import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { LoginMethod } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'

/** How a person signs in, as far as the sign-in page needs to know. */
export interface AuthType {
  authType: LoginMethod
  hasPhoneNumber: boolean
}

/**
 * How the person with this address signs in. The statement does the same work for known and unknown addresses, so timing
 * reveals nothing. An unknown address gets the login method of a colleague (product-rules 4.1), and a made-up answer
 * about the phone that never changes for that address.
 */
export async function findAuthType(db: Db, keys: Keys, email: string): Promise<AuthType> {
  const domain = email.slice(email.indexOf('@') + 1)
  const { rows } = await sql<{ own: LoginMethod | null; phone: boolean; saml: boolean; colleague: LoginMethod | null }>`
    select u.login_method as own, u.phone_number is not null as phone,
      exists (select from saml_mail_domains d join saml_configs c on c.id = d.saml_config_id
        where c.active and d.mail_domain = any(${domainsAbove(domain)})) as saml,
      (select o.login_method
        from users c join memberships m on m.account_id = c.account_id
          join organizations o on o.organization_id = m.organization_id
        where split_part(c.email, '@', 2) = ${domain}
        order by c.account_id, m.created_at, m.organization_id limit 1) as colleague
    from (select) as always left join users u on u.email = ${email}`.execute(db)
  const madeUp = createHmac('sha256', keys.current('tokens').secret).update(`phone of ${email}`).digest()
  const found = rows[0]
  if (found?.own) return { authType: found.own, hasPhoneNumber: found.phone }
  return {
    authType: found?.saml ? 'saml' : (found?.colleague ?? 'local'),
    hasPhoneNumber: ((madeUp[0] ?? 0) & 1) === 1,
  }
}

/** `a.acme.se` → itself and `acme.se`: a company's sign-in counts for its subdomains too. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
