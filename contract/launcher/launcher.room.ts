import { type Actor, belongsTo, may } from '#contract/actor.ts'

export const permissions = {
  readOwnServices: (actor: Actor, target?: { accountId: string; organizationId: string }) =>
    !target ||
    (actor.accountId === target.accountId && belongsTo(actor, target.organizationId)) ||
    actor.superUser ||
    may(actor, 'readPeople', target.organizationId),
  /** Members alone, because it is about what they themselves lack. */
  readMissingServices: (actor: Actor, target?: { organizationId: string }) =>
    !target || belongsTo(actor, target.organizationId),
  readOwnOrganizations: (actor: Actor, target?: { accountId: string }) =>
    !target || actor.superUser || actor.accountId === target.accountId,
}

export const screens = ['/', '/no-access/{serviceId}'] as const
