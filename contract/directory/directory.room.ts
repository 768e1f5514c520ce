export const auditEvents = ['readDirectory'] as const
