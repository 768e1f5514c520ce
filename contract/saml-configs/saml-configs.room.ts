import { superUsers } from '#contract/actor.ts'

export const permissions = { manageSamlConfigs: superUsers }

export const auditEvents = ['createSamlConfig', 'deleteSamlConfig', 'updateSamlConfig'] as const

export const screens = [
  '/saml-configuration',
  '/saml-configuration/create',
  '/saml-configuration/{samlConfigId}',
  '/saml-configuration/{samlConfigId}/test',
  '/saml-configuration/{samlConfigId}/sign-ins',
] as const
