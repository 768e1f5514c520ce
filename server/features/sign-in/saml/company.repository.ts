import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database.ts'
import { usableCertificates } from '../../saml-configs/saml-configs.ts'
import { domainsAbove } from '../auth-type.ts'

/** A company's sign-in, as it is configured. */
export interface Company {
  id: number
  /** Where it is asked. */
  url: string
  /** Whom its answers must be of; null: whoever holds the key of its certificate. */
  entityId: string | null
  certificate: string
  wantAssertionsSigned: boolean | null
  wantAuthnResponseSigned: boolean | null
  requestSigningEnabled: boolean | null
}

const columns = [
  'id',
  'url',
  'entityId',
  'certificate',
  'wantAssertionsSigned',
  'wantAuthnResponseSigned',
  'requestSigningEnabled',
] as const

export const findCompany = (db: Db, id: number): Promise<Company | undefined> =>
  db.selectFrom('samlConfigs').select(columns).where('id', '=', id).executeTakeFirst()

/**
 * The company that somebody with this address is sent to: the person's own, else the one whose mail domain it is, else
 * that of a colleague's organisation: by the same rule as `findAuthType`, in one statement that does the same work whoever asks.
 */
export async function findCompanyOf(db: Db, email: string): Promise<Company | undefined> {
  const domain = email.slice(email.indexOf('@') + 1)
  const { rows } = await sql<{ id: number | null }>`
    select coalesce(
      (select saml_config_id from users where email = ${email} and login_method = 'saml'),
      (select id from saml_configs where mail_domain = any(${domainsAbove(domain)})
        order by length(mail_domain) desc, id limit 1),
      (select o.saml_config_id
        from users c join memberships m on m.account_id = c.account_id
          join organizations o on o.organization_id = m.organization_id
        where split_part(c.email, '@', 2) = ${domain}
        order by c.account_id, m.created_at, m.organization_id limit 1)) as id`.execute(db)
  const id = rows[0]?.id
  return id ? findCompany(db, id) : undefined
}

export const certificatesOf = ({ certificate }: Company): string[] => usableCertificates(certificate)

/** What we are called by a company, each by a name of its own: the address of its metadata, as is the custom. */
export const ownEntityId = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/metadata`

/** Where a company sends its answers. One for each, so that an answer is only checked with its own key. */
export const acsUrl = ({ baseUrl }: Config, id: number) => `${baseUrl}/saml/${id}/acs`
