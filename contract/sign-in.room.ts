export const auditEvents = [
  'loginSuccess',
  'loginFailure',
  'logout',
  'serviceEntryRefused',
  'signOutNotDelivered',
] as const
