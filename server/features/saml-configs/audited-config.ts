import type { SamlConfig } from '#contract/saml-configs.ts'
import { summarizeCertificates } from './certificate-states.ts'

/** What an audit event says of a configuration: which certificates, not their text. */
export const auditedConfig = ({ id, certificate, ...samlConfig }: SamlConfig) => ({
  target: { id: String(id), label: samlConfig.name },
  after: { ...samlConfig, certificate: summarizeCertificates(certificate) },
})
