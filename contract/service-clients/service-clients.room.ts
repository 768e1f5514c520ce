export const auditEvents = [
  'createClient',
  'updateClient',
  'deleteClient',
  'createClientSecret',
  'deleteClientSecret',
  'tryClient',
  'testClientLogout',
] as const
