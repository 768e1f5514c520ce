export const auditEvents = [
  'loginSuccess',
  'loginFailure',
  'logout',
  'serviceEntryRefused',
  'serviceRequestRefused',
  'issuePersonalNumber',
  'yieldPersonalNumber',
  'signOutNotDelivered',
] as const
