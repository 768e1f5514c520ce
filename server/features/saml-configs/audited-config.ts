import { summarizeCertificates } from './certificate-states.ts'
import type { StoredConfig } from './saml-configs.repository.ts'

/** How an audit event calls a configuration. */
export const labelled = ({ id, name }: StoredConfig) => ({ id: String(id), label: name })

/** What an audit event says of a configuration. Of a secret, that is when it was set. */
export const audited = ({ id: _, kind, certificate, clientSecretSetAt, ...samlConfig }: StoredConfig) => ({
  ...samlConfig,
  protocol: kind,
  certificate: summarizeCertificates(certificate),
  credentialSetAt: clientSecretSetAt,
})
