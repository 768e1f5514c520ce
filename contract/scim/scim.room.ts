export const auditEvents = ['createScimToken', 'revokeScimToken', 'restoreUser', 'mapDirectoryGroup'] as const

export const screens = ['/organization-directory/{organizationId}'] as const
