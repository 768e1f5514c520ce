import * as z from 'zod/mini'
import { bareAddress } from '#contract/fields/as-written.ts'
import { canonicalDomain } from '#contract/fields/canonical-email.ts'
import { emailPattern } from '#contract/fields/email-address.ts'
import { message, requiredText, text, timestamp } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { samlConfigParams } from './saml-configs.ts'

/** A mail domain in the canonical form of e-mail addresses. It needs a dot: `se` would cover every address that ends in `.se`. */
const mailDomain = text().check(
  z.overwrite((typed) =>
    canonicalDomain(
      bareAddress(typed)
        .replace(/^(https?:\/\/|@)/i, '')
        .replace(/(?<![./])[./]+$/, ''),
    ),
  ),
  z.refine((domain) => emailPattern.test(`a@${domain}`), message('invalidDomain')),
)

export const samlDomainForm = z.strictObject({ domain: mailDomain })
export const confirmDomainForm = z.strictObject({ domain: mailDomain, reason: requiredText(500) })

export const confirmDomainLabels: FieldLabels<z.infer<typeof confirmDomainForm>> = {
  domain: 'domain',
  reason: 'eventPropertyReason',
}

export const samlDomain = z.object({
  domain: z.string(),
  /** The name of the TXT record that proves the domain, in ASCII. */
  recordName: z.string(),
  /** What the record has to say. */
  recordValue: z.string(),
  /** How the right to the domain was proven; null: it waits for a proof, and does not count. */
  proof: z.nullable(z.enum(['dns', 'confirmed'])),
  provenAt: z.nullable(timestamp),
  /** Why a super user confirmed it without a record. */
  reason: z.nullable(z.string()),
})
export type SamlDomain = z.infer<typeof samlDomain>

const shared = {
  access: 'manageSamlConfigs',
  params: samlConfigParams,
  answer: z.array(samlDomain),
} as const

/** Mail domains of a configuration, of either kind, beside its own. Every call answers with all of them. */
export const samlDomains = {
  list: route('GET /api/saml-configs/{id}/domains', {
    ...shared,
    summary: 'The mail domains of a configuration beside its own, and what proves them',
  }),
  add: route('POST /api/saml-configs/{id}/domains', {
    ...shared,
    freshProof: true,
    summary: 'Adds a mail domain, which counts once it is proven; 409 domainTaken where it is that of another one',
    input: samlDomainForm,
    status: 201,
    audit: 'updateSamlConfig',
  }),
  check: route('POST /api/saml-configs/{id}/domains/check', {
    ...shared,
    summary: 'Looks for the TXT record of a mail domain now; 422 where there is none',
    input: samlDomainForm,
    audit: { atMost: ['updateSamlConfig'] },
    atomic: false,
  }),
  confirm: route('POST /api/saml-configs/{id}/domains/confirm', {
    ...shared,
    freshProof: true,
    summary: 'Lets a mail domain count without a TXT record, for a reason',
    input: confirmDomainForm,
    audit: { atMost: ['updateSamlConfig'] },
  }),
  remove: route('POST /api/saml-configs/{id}/domains/remove', {
    ...shared,
    freshProof: true,
    summary: 'Removes a mail domain from a configuration; the next sign-in goes without it',
    input: samlDomainForm,
    audit: 'updateSamlConfig',
  }),
}
