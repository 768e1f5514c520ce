export const auditEvents = [
  'createServiceRole',
  'updateServiceRole',
  'deleteServiceRole',
  'updateUserServiceRoles',
] as const

export const screens = [
  '/services/{serviceId}/roles',
  '/services/{serviceId}/roles/create',
  '/services/{serviceId}/roles/from-file',
  '/services/{serviceId}/roles/{roleId}',
] as const
