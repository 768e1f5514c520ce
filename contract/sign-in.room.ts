export const auditEvents = [
  'loginSuccess',
  'loginFailure',
  'logout',
  'serviceEntryRefused',
  'issuePersonalNumber',
  'signOutNotDelivered',
] as const
