import { oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { samlDomains } from '#contract/saml-configs/saml-domains.ts'
import { samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { samlReservations } from '#contract/saml-configs/saml-reservations.ts'
import { samlSignIns } from '#contract/saml-configs/saml-sign-ins.ts'
import { checkVersion, isUnchanged, merged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { auditedConfig } from './audited-config.ts'
import { describeCertificates } from './certificate-states.ts'
import { checkForm } from './check-form.ts'
import { auditedWatch, checkWatch, metadataAddressHandlers } from './metadata-address.handlers.ts'
import { saveWatch } from './metadata-watches.repository.ts'
import { oidcConfigsHandlers } from './oidc-configs.handlers.ts'
import { prepareOrganization } from './prepare-organization.ts'
import { readMetadata } from './read-metadata.ts'
import { reservationsHandlers, serviceProviderOf, takeReserved } from './reservations.ts'
import {
  findSamlConfig,
  findSamlConfigForUpdate,
  insertConfig,
  listSamlConfigs,
  ofSaml,
  removeSamlConfig,
  samlFormOf,
  updateSamlConfig,
} from './saml-configs.repository.ts'
import { samlDomainsHandlers } from './saml-domains.handlers.ts'
import { samlSignInsHandlers } from './saml-sign-ins.ts'
import { readStates } from './saml-states.repository.ts'

export const samlConfigsHandlers: Handlers<typeof samlConfigs> = {
  list: async ({ db, query, now }) => {
    const rows = await listSamlConfigs(db, query)
    const stateOf = await readStates(db, now, rows)
    return rows.map((row) => ({ ...row, ...stateOf(row.id) }))
  },
  read: async ({ db, params, config, keys, now }) => {
    const samlConfig = found(await findSamlConfig(db, Number(params.id)))
    const stateOf = await readStates(db, now, [samlConfig])
    return {
      ...samlConfig,
      ...stateOf(samlConfig.id),
      certificates: ofSaml(samlConfig) ? describeCertificates(samlConfig.certificate, now) : [],
      serviceProvider: serviceProviderOf({ config, keys }, samlConfig.id),
    }
  },
  create: async (context) => {
    const { db, input, audit, config, outgoing, now } = context
    const { metadata, reservation, organizationId, ...form } = input
    checkForm(config, form)
    if (metadata) checkWatch({ config, outgoing }, metadata, 'metadata.')
    const samlConfig = await insertConfig(db, await takeReserved(db, now, reservation), form)
    const { target, after } = auditedConfig(samlConfig)
    if (metadata) await saveWatch(db, samlConfig.id, metadata)
    audit({ name: 'createSamlConfig', target, after: { ...after, ...auditedWatch(metadata) } })
    if (organizationId) await prepareOrganization(context, organizationId, samlConfig.id)
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
  callGroup(samlReservations, reservationsHandlers),
  callGroup(samlDomains, samlDomainsHandlers),
  callGroup(samlSignIns, samlSignInsHandlers),
  callGroup(samlMetadataAddress, metadataAddressHandlers),
]
