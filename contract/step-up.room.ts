export const auditEvents = ['strengthenSession'] as const

export const screens = ['/enter/{organizationId}'] as const
