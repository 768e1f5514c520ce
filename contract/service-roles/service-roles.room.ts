import { type Actor, holdsScoped, may, ownsService } from '#contract/actor.ts'

interface InOrganization {
  organizationId: string
}

export const permissions = {
  /** The roles of services in an organisation, and who has them. The owner of a service sees those of that service. */
  readServiceRoles: (actor: Actor, target?: InOrganization) =>
    actor.superUser ||
    may(actor, 'readPeople', target?.organizationId) ||
    holdsScoped(actor, 'serviceOwner', { organizationId: target?.organizationId }),
  handOutServiceRoles: (actor: Actor, target?: InOrganization & { serviceId: string }) =>
    actor.superUser || may(actor, 'assignServices', target?.organizationId) || ownsService(actor, target),
}

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
