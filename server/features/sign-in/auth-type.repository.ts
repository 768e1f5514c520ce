import { createHmac } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { defaultMethod, isCompany, type LoginMethod } from '#contract/login-methods.ts'
import { phoneForCodes } from '#server/credentials/factors/phone-for-codes.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'

/** How a person signs in, as far as the sign-in page needs to know. */
export interface AuthType {
  authType: LoginMethod
  hasPhoneNumber: boolean
}

/**
 * How the person with this address signs in, by the account's method: an own second factor shows after the password. The statement does the same work for known and unknown addresses, so timing
 * reveals nothing. An unknown address gets a company's sign-in where a domain that counts covers it, otherwise the method
 * of its colleagues where that is one of ours (product-rules 4.1), and a made-up answer about the phone that never changes
 * for that address.
 */
export async function findAuthType(db: Db, keys: Keys, email: string): Promise<AuthType> {
  const domain = email.slice(email.indexOf('@') + 1)
  const { rows } = await sql<{
    own: LoginMethod | null
    phone: boolean
    saml: boolean
    colleagues: LoginMethod | null
  }>`
    select u.login_method as own, ${phoneForCodes} is not null as phone,
      exists (select from saml_mail_domains d join saml_configs c on c.id = d.saml_config_id
        where c.active and d.mail_domain = any(${domainsAbove(domain)})) as saml,
      (${methodOfColleagues(domain)}) as colleagues
    from (select) as always left join users u on u.email = ${email}`.execute(db)
  const madeUp = createHmac('sha256', keys.current('tokens').secret).update(`phone of ${email}`).digest()
  const found = rows[0]
  if (found?.own) return { authType: found.own, hasPhoneNumber: found.phone }
  const colleagues = found?.colleagues ?? defaultMethod
  return {
    // Somebody who signs in at a company says nothing about the others of a free-mail provider.
    authType: found?.saml ? 'saml' : isCompany(colleagues) ? defaultMethod : colleagues,
    hasPhoneNumber: ((madeUp[0] ?? 0) & 1) === 1,
  }
}

// Enough to know what is usual, few enough to count for every visitor.
const oldestAccounts = 100

/**
 * Each organisation with people of this mail domain counts once, with the method that most of them use. Where as many say
 * one as another, the first that was there decides. So no organisation changes the answer by inviting many.
 */
const methodOfColleagues = (domain: string): RawBuilder<LoginMethod | null> => sql<LoginMethod | null>`
  select method from (
    select mode() within group (order by c.login_method) as method, min(c.account_id::text) as first
    from (select account_id, login_method from users
        where split_part(email, '@', 2) = ${domain} order by account_id limit ${oldestAccounts}) c
      join memberships m using (account_id)
    group by m.organization_id) as organizations
  group by method order by count(*) desc, min(first) limit 1`

/** `a.acme.se` → itself and `acme.se`: a company's sign-in counts for its subdomains too. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
