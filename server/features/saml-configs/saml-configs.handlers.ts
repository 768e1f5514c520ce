import { oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { samlDomains } from '#contract/saml-configs/saml-domains.ts'
import { samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { samlSignIns } from '#contract/saml-configs/saml-sign-ins.ts'
import { clientCertificate } from '#server/company-oidc/client-key.ts'
import { jwksUri, redirectUri } from '#server/company-oidc/redirect-uri.ts'
import { checkVersion, isUnchanged, merged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { acsUrl, ownEntityId, sloUrl, startUrl } from '#server/saml/service-provider.ts'
import { auditedConfig } from './audited-config.ts'
import { describeCertificates } from './certificate-states.ts'
import { checkForm } from './check-form.ts'
import { auditedWatch, checkWatch, metadataAddressHandlers } from './metadata-address.handlers.ts'
import { saveWatch } from './metadata-watches.repository.ts'
import { oidcConfigsHandlers } from './oidc-configs.handlers.ts'
import { readMetadata } from './read-metadata.ts'
import {
  findSamlConfig,
  findSamlConfigForUpdate,
  insertSamlConfig,
  listSamlConfigs,
  ofSaml,
  removeSamlConfig,
  samlFormOf,
  updateSamlConfig,
} from './saml-configs.repository.ts'
import { samlDomainsHandlers } from './saml-domains.handlers.ts'
import { samlSignInsHandlers } from './saml-sign-ins.ts'

export const samlConfigsHandlers: Handlers<typeof samlConfigs> = {
  list: async ({ db, query }) => listSamlConfigs(db, query),
  read: async ({ db, params, config, keys, now }) => {
    const samlConfig = found(await findSamlConfig(db, Number(params.id)))
    return {
      ...samlConfig,
      certificates: ofSaml(samlConfig) ? describeCertificates(samlConfig.certificate, now) : [],
      serviceProvider: {
        entityId: ownEntityId(config, samlConfig.id),
        acsUrl: acsUrl(config, samlConfig.id),
        sloUrl: sloUrl(config, samlConfig.id),
        startUrl: startUrl(config, samlConfig.id),
        redirectUri: redirectUri(config, samlConfig.id),
        jwksUri: jwksUri(config),
        certificate: clientCertificate(keys),
      },
    }
  },
  create: async ({ db, input, audit, config, outgoing }) => {
    const { metadata, ...form } = input
    checkForm(config, form)
    if (metadata) checkWatch({ config, outgoing }, metadata, 'metadata.')
    const samlConfig = await insertSamlConfig(db, form)
    const { target, after } = auditedConfig(samlConfig)
    if (metadata) await saveWatch(db, samlConfig.id, metadata)
    audit({ name: 'createSamlConfig', target, after: { ...after, ...auditedWatch(metadata) } })
    return samlConfig
  },
  update: async ({ db, input, audit, config }) => {
    const { id, version, ...sent } = input
    const before = found(ofSaml(await findSamlConfigForUpdate(db, id)))
    checkVersion(before, version)
    const form = merged(samlFormOf(before), sent)
    checkForm(config, form)
    if (isUnchanged(before, form)) return before
    const after = await updateSamlConfig(db, id, form)
    audit({ name: 'updateSamlConfig', ...auditedConfig(after), before: auditedConfig(before).after })
    return after
  },
  remove: async ({ db, params, audit }) => {
    const before = found(await findSamlConfigForUpdate(db, Number(params.id)))
    await removeSamlConfig(db, before.id)
    const { target, after } = auditedConfig(before)
    audit({ name: 'deleteSamlConfig', target, before: after })
    return undefined
  },
  checkCertificates: async ({ input, now }) => describeCertificates(input.certificate, now),
  readMetadata: async ({ input, now }) => readMetadata(input, now),
}

export const createCallGroups: CreateCallGroups = () => [
  callGroup(samlConfigs, samlConfigsHandlers),
  callGroup(oidcConfigs, oidcConfigsHandlers),
  callGroup(samlDomains, samlDomainsHandlers),
  callGroup(samlSignIns, samlSignInsHandlers),
  callGroup(samlMetadataAddress, metadataAddressHandlers),
]
