import type { SamlConfig } from '#contract/saml-configs.ts'
import { summarizeCertificates } from './certificate-states.ts'

/** How an audit event calls a configuration. */
export const labelled = ({ id, name }: SamlConfig) => ({ id: String(id), label: name })

/** What an audit event says of a configuration. A secret is only a time. */
export const audited = ({ id: _, certificate, ...samlConfig }: SamlConfig) => ({
  ...samlConfig,
  certificate: summarizeCertificates(certificate),
})
