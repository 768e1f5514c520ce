export const auditEvents = ['createPasskey', 'updatePasskey', 'deletePasskey', 'stopPasskey'] as const
