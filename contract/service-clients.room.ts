export const auditEvents = [
  'createClient',
  'updateClient',
  'deleteClient',
  'createClientSecret',
  'deleteClientSecret',
] as const
