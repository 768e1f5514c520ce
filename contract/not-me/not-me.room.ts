export const auditEvents = ['lockSignIn'] as const
