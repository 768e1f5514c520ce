export const auditEvents = [
  'addAuthenticatorApp',
  'chooseSecondFactor',
  'createRecoveryCodes',
  'removeAuthenticatorApp',
  'removeRecoveryCodes',
  'updateSignInRules',
  'useRecoveryCode',
] as const

export const screens = ['/sign-in-rules/{organizationId}'] as const
