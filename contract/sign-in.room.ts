export const auditEvents = ['loginSuccess', 'loginFailure', 'logout'] as const
