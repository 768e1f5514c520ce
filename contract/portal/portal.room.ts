import { superUsers } from '#contract/actor.ts'

/** Permissions that belong to no particular room. */
export const permissions = { administerEverything: superUsers }

export const auditEvents = ['notifyInactiveUser', 'unknown'] as const
