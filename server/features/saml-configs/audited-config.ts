import { summarizeCertificates } from './certificate-states.ts'
import type { StoredConfig } from './saml-configs.repository.ts'

/** What an audit event says of a configuration: which certificates, not their text; of a secret, when it was set. */
export function auditedConfig({
  id,
  kind,
  clientId,
  clientSecretSetAt,
  clientKey,
  certificate,
  ...samlConfig
}: StoredConfig) {
  const { name, url, domain, assertsNumbers, active, version } = samlConfig
  const { emailAttribute, ssnAttribute, firstNameAttribute, lastNameAttribute } = samlConfig
  const claimNames = { emailAttribute, ssnAttribute, firstNameAttribute, lastNameAttribute }
  const secret = { credentialSetAt: clientSecretSetAt }
  const ofKind =
    kind === 'oidc'
      ? { ...{ name, url, domain, assertsNumbers, active, version, clientId, clientKey }, ...claimNames, ...secret }
      : { ...samlConfig, certificate: summarizeCertificates(certificate) }
  return { target: { id: String(id), label: name }, after: { ...ofKind, protocol: kind } }
}
