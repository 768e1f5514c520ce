export const auditEvents = ['loginSuccess', 'loginFailure', 'logout', 'serviceEntryRefused'] as const
