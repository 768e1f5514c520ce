export const auditEvents = ['changePassword'] as const

export const screens = ['/account'] as const
