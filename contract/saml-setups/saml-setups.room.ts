export const auditEvents = [
  'createSamlSetup',
  'revokeSamlSetup',
  'useSamlSetup',
  'handInSamlSetup',
  'approveSamlSetup',
  'rejectSamlSetup',
] as const

export const screens = ['/saml-configuration/setup-link', '/saml-configuration/setups/{setupId}'] as const
