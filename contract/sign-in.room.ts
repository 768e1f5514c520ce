export const auditEvents = ['loginSuccess', 'loginFailure', 'logout', 'strengthenSession'] as const
