export const auditEvents = [
  'loginSuccess',
  'loginFailure',
  'logout',
  'serviceEntryRefused',
  'serviceRequestRefused',
  'issuePersonalNumber',
  'signOutNotDelivered',
] as const
