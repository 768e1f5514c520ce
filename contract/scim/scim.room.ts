export const auditEvents = ['createScimToken', 'revokeScimToken', 'restoreUser'] as const

export const screens = ['/organization-directory/{organizationId}'] as const
