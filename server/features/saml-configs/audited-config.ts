import { summarizeCertificates } from './certificate-states.ts'
import type { StoredConfig } from './saml-configs.repository.ts'

/** What an audit event says of a configuration: which certificates, not their text; of a secret, when it was set. */
export const auditedConfig = ({ id, kind, certificate, clientSecretSetAt, ...samlConfig }: StoredConfig) => ({
  target: { id: String(id), label: samlConfig.name },
  after: {
    ...samlConfig,
    protocol: kind,
    certificate: summarizeCertificates(certificate),
    credentialSetAt: clientSecretSetAt,
  },
})
