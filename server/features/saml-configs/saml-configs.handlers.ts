import { oidcConfigs } from '#contract/oidc-configs.ts'
import { type SamlConfigForm, samlConfigs } from '#contract/saml-configs.ts'
import { samlSignIns } from '#contract/saml-sign-ins.ts'
import { redirectUri } from '#server/company-oidc/redirect-uri.ts'
import { checkVersion, isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { readIdentityProvider } from '#server/saml/identity-provider-metadata.ts'
import { Refusal } from '#server/saml/refusal.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { audited, labelled } from './audited-config.ts'
import { describeCertificates } from './certificate-states.ts'
import { checkForm } from './check-form.ts'
import { oidcConfigsHandlers } from './oidc-configs.handlers.ts'
import {
  findSamlConfig,
  findSamlConfigForUpdate,
  insertSamlConfig,
  listSamlConfigs,
  removeSamlConfig,
  type StoredConfig,
  samlFormOf,
  updateSamlConfig,
} from './saml-configs.repository.ts'
import { samlSignInsHandlers } from './saml-sign-ins.ts'

export const samlConfigsHandlers: Handlers<typeof samlConfigs> = {
  list: async ({ db, query }) => listSamlConfigs(db, query),
  read: async ({ db, params, config, now }) => {
    const samlConfig = found(await findSamlConfig(db, Number(params.id)))
    return {
      ...samlConfig,
      certificates: describeCertificates(samlConfig.certificate, now),
      serviceProvider: {
        entityId: ownEntityId(config, samlConfig.id),
        acsUrl: acsUrl(config, samlConfig.id),
        redirectUri: redirectUri(config, samlConfig.id),
      },
    }
  },
  create: async ({ db, input, audit, config }) => {
    checkForm(config, input)
    const after = await insertSamlConfig(db, input)
    audit({ name: 'createSamlConfig', target: labelled(after), after: audited(after) })
    return after
  },
  update: async ({ db, input, audit, config }) => {
    const { id, version, ...sent } = input
    const row = await findSamlConfigForUpdate(db, id)
    const before = found(row?.kind === 'saml' ? row : undefined)
    checkVersion(before, version)
    const form = mergeChange(before, sent)
    checkForm(config, form)
    if (isUnchanged(before, form)) return before
    const after = await updateSamlConfig(db, id, form)
    audit({ name: 'updateSamlConfig', target: labelled(after), before: audited(before), after: audited(after) })
    return after
  },
  remove: async ({ db, params, audit }) => {
    const before = found(await findSamlConfigForUpdate(db, Number(params.id)))
    await removeSamlConfig(db, before.id)
    audit({ name: 'deleteSamlConfig', target: labelled(before), before: audited(before) })
    return undefined
  },
  checkCertificates: async ({ input, now }) => describeCertificates(input.certificate, now),
  readMetadata: async ({ input }) => {
    try {
      return readIdentityProvider(input.metadata)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      throw new Problem(422, 'validationFailed', {
        issues: [{ path: 'metadata', message: 'metadataNotReadable' }],
        cause,
      })
    }
  },
}

/** The form as it is after the change. */
function mergeChange(
  before: StoredConfig,
  sent: { [Name in keyof SamlConfigForm]?: SamlConfigForm[Name] | undefined },
) {
  const form = samlFormOf(before)
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return { ...form, ...given } as SamlConfigForm
}

export const createCallGroups: CreateCallGroups = () => [
  callGroup(samlConfigs, samlConfigsHandlers),
  callGroup(oidcConfigs, oidcConfigsHandlers),
  callGroup(samlSignIns, samlSignInsHandlers),
]
