export const auditEvents = ['updateBrand', 'updateSignInHost'] as const

export const screens = ['/organization-brand/{organizationId}'] as const
