export const auditEvents = [
  'createScimToken',
  'confirmScimToken',
  'revokeScimToken',
  'restoreUser',
  'mapDirectoryGroup',
] as const

export const screens = ['/organization-directory/{organizationId}'] as const
