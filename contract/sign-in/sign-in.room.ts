export const auditEvents = [
  'loginSuccess',
  'loginFailure',
  'findLeakedPassword',
  'logout',
  'serviceEntryRefused',
  'serviceRequestRefused',
  'issuePersonalNumber',
  'yieldPersonalNumber',
  'signOutNotDelivered',
] as const
