export const auditEvents = [
  'inviteUser',
  'acceptInvite',
  'readInviteLink',
  'joinOrganization',
  'declineInvite',
] as const

export const screens = ['/user-administration/import/{organizationId}'] as const
