import { oidcConfigForm } from '#contract/saml-configs/oidc-configs.ts'
import { pickFields } from '#server/platform/database/versioned.ts'
import { summarizeCertificates } from './certificate-states.ts'
import { type StoredConfig, samlFormOf } from './saml-configs.repository.ts'

/** What an audit event says of a configuration: which certificates, not their text; of a secret, when it was set. */
export function auditedConfig(config: StoredConfig) {
  const { id, name, kind, clientSecretSetAt } = config
  const { certificate, ...form } = samlFormOf(config)
  const ofKind =
    kind === 'oidc'
      ? { ...pickFields(oidcConfigForm, config), credentialSetAt: clientSecretSetAt }
      : { ...form, certificate: summarizeCertificates(certificate) }
  return { target: { id: String(id), label: name }, after: { ...ofKind, protocol: kind } }
}
