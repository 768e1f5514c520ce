import { type RawBuilder, sql } from 'kysely'
import { companyList } from '#server/platform/database/method-lists.ts'

/**
 * How control of an account's address was proven: by a mailed link, by a mailed code, or by the SAML assertion of a company
 * that owns the domain. For a super user the operator may vouch instead, which is not a proof.
 */
export type AddressProof = 'mailedLink' | 'mailedCode' | 'samlDomain'

/** Whether a stored proof says that the owner of the address has proven it. */
export const isProof = (stored: AddressProof | 'operator' | null): stored is AddressProof =>
  stored !== null && stored !== 'operator'

/** The condition on `users` for a proven address. */
export const isAddressProven: RawBuilder<boolean> = sql<boolean>`coalesce(email_proof <> 'operator', false)`

/** The columns for an update that records a proof; the first proof is kept. */
export const proofColumns = (proof: AddressProof, now: Date) => ({
  emailProof: sql<AddressProof>`case when ${isAddressProven} then email_proof else ${proof} end`,
  emailProvenAt: sql<Date>`case when ${isAddressProven} then email_proven_at else ${now}::timestamptz end`,
})

/** The same as SQL assignments, for handwritten statements. */
export function proofAssignments(proof: AddressProof, now: Date): RawBuilder<unknown> {
  const { emailProof, emailProvenAt } = proofColumns(proof, now)
  return sql`email_proof = ${emailProof}, email_proven_at = ${emailProvenAt}`
}

const hasDomainOf = (email: string) =>
  sql`right('.' || split_part(${sql.ref(email)}, '@', 2), length(d.mail_domain) + 1) = '.' || d.mail_domain`

/** The condition that an address is in a mail domain of a configuration, or below it. */
export const isInDomainOf = (email: string, samlConfigId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from saml_mail_domains d where d.saml_config_id = ${sql.ref(samlConfigId)} and ${hasDomainOf(email)})`

/** The condition that an address is in a mail domain of a configuration other than this one, which may be null. */
export const isInDomainOfOthers = (email: string, samlConfigId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from saml_mail_domains d where d.saml_config_id is distinct from ${sql.ref(samlConfigId)}
    and ${hasDomainOf(email)})`

/**
 * The condition that an account `u` makes way for the person whom an organisation's own sign-in, or its directory, names in a domain
 * of its own: another organisation has opened it, and nobody has proven the address, vouched for it, or owns its domain.
 */
export const yieldsTo = (organizationId: string): RawBuilder<boolean> => sql<boolean>`(
  u.email_proof is null and not u.operates and u.opened_for is not null and u.opened_for <> ${sql.ref(organizationId)}
  and not (u.login_method in (${companyList}) and ${isInDomainOf('u.email', 'u.saml_config_id')}))`
