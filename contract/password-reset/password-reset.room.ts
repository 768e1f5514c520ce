export const auditEvents = ['requestPasswordReset', 'resetPassword'] as const
