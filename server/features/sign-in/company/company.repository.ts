import { sql } from 'kysely'
import { domainsAbove } from '#server/features/sign-in/auth-type.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { parseUsableCertificates } from '#server/saml/certificates.ts'
import type { SignatureRequirements } from '#server/saml/signed-assertion.ts'
import { loadDecryptionKeys } from '#server/saml/signing-keys.ts'
import { companySignInAllowed } from './company-access.repository.ts'

/** A company's SAML or OpenID Connect configuration. */
export interface Company {
  id: number
  /** SAML or OpenID Connect. */
  kind: string
  version: number
  /** The single sign-on address of its identity provider; the issuer with OpenID Connect. */
  url: string
  /** Where it takes sign-outs; null without single logout. */
  logoutUrl: string | null
  /** People with an address in one of these, or below it, are sent here. */
  mailDomains: string[]
  clientId: string | null
  clientSecretSealed: Buffer | null
  /** A key takes the place of the secret. */
  clientKey: boolean
  /** The required issuer of its responses; null: any issuer that signs with the configured certificate. */
  entityId: string | null
  certificate: string
  wantAssertionsSigned: boolean | null
  wantAuthnResponseSigned: boolean | null
  requestSigningEnabled: boolean | null
  /** Our metadata offers encryption. */
  encryptionEnabled: boolean
  /** AES-CBC is decrypted behind the signature of the whole response. */
  cbcAllowed: boolean
  /** Its identity provider takes requests by HTTP-POST alone. */
  postRequests: boolean
  /** By how much the clock of its identity provider may differ. */
  clockSkewSeconds: number
  nameIdFormat: string | null
  /** Authentication context classes, a line each. */
  authnContexts: string | null
  ssnAttribute: string | null
  emailAttribute: string | null
  /** The NameID is the address, whatever its format. */
  nameIdIsEmail: boolean
  firstNameAttribute: string | null
  lastNameAttribute: string | null
  /** Off: no sign-in begins or ends with it. */
  active: boolean
}

const columns = [
  'id',
  'kind',
  'version',
  'url',
  'logoutUrl',
  'clientId',
  'clientSecretSealed',
  'clientKey',
  'entityId',
  'certificate',
  'wantAssertionsSigned',
  'wantAuthnResponseSigned',
  'requestSigningEnabled',
  'encryptionEnabled',
  'cbcAllowed',
  'postRequests',
  'clockSkewSeconds',
  'nameIdFormat',
  'authnContexts',
  'ssnAttribute',
  'emailAttribute',
  'nameIdIsEmail',
  'firstNameAttribute',
  'lastNameAttribute',
  'active',
] as const

export const findCompany = (db: Db, id: number): Promise<Company | undefined> =>
  db
    .selectFrom('samlConfigs')
    .select(columns)
    .select(
      sql<string[]>`array(select mail_domain from saml_mail_domains d where d.saml_config_id = saml_configs.id)`.as(
        'mailDomains',
      ),
    )
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Finds the company for an address: the person's own, else the one whose domain covers it; none if its configuration is
 * switched off. The same rule as `findAuthType`, and also the same work for known and unknown addresses.
 */
export async function findCompanyOf(db: Db, email: string): Promise<Company | undefined> {
  const domain = email.slice(email.indexOf('@') + 1)
  const { rows } = await sql<{ id: number | null }>`
    select coalesce(
      (select c.id from users u join saml_configs c on c.id = u.saml_config_id
        where u.email = ${email} and c.active and ${companySignInAllowed}),
      (select c.id from saml_mail_domains d join saml_configs c on c.id = d.saml_config_id
        where c.active and d.mail_domain = any(${domainsAbove(domain)})
        order by length(d.mail_domain) desc, c.id limit 1)) as id`.execute(db)
  const id = rows[0]?.id
  return id ? findCompany(db, id) : undefined
}

/** The certificates that may sign a company's responses, which signatures are required, and what decrypts. */
export const signersOf = (
  keys: Keys,
  {
    certificate,
    wantAssertionsSigned,
    wantAuthnResponseSigned,
    cbcAllowed,
  }: Pick<Company, 'certificate' | 'wantAssertionsSigned' | 'wantAuthnResponseSigned' | 'cbcAllowed'>,
): SignatureRequirements => ({
  decryptionKeys: () => loadDecryptionKeys(keys).map(({ key }) => key),
  certificates: parseUsableCertificates(certificate),
  wantAssertionsSigned,
  wantAuthnResponseSigned,
  cbcAllowed,
})
