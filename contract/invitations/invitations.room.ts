export const auditEvents = [
  'inviteUser',
  'acceptInvite',
  'readInviteLink',
  'joinOrganization',
  'declineInvite',
  'expireInvite',
] as const

export const screens = ['/user-administration/import/{organizationId}'] as const
