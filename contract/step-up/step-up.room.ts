export const auditEvents = ['strengthenSession'] as const

export const screens = ['/enter/{organizationId}', '/choose-organization', '/stronger-sign-in', '/confirmed'] as const
