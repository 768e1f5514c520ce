import { type Actor, administersService, belongsTo, may } from '#contract/actor.ts'

interface InOrganization {
  organizationId: string
}

export const permissions = {
  /** Members only: people request access for themselves. */
  requestAccess: (actor: Actor, target?: InOrganization) => !target || belongsTo(actor, target.organizationId),
  /** Those who may hand out the service. */
  answerAccessRequests: (actor: Actor, target?: InOrganization & { serviceId: string }) =>
    actor.superUser || may(actor, 'assignServices', target?.organizationId) || administersService(actor, target),
}

export const auditEvents = ['requestServiceAccess', 'grantServiceAccess', 'refuseServiceAccess'] as const

export const screens = ['/access-requests'] as const
