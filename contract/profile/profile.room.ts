export const auditEvents = ['changePassword', 'requestOwnData', 'downloadOwnData'] as const

export const screens = ['/account'] as const
