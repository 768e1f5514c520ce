import { type Actor, administers, administersAny } from '#contract/actor.ts'

export const permissions = {
  /** The groups of an organisation: who is in them, and what they give. */
  manageGroups: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser || (target ? administers(actor, target.organizationId) : administersAny(actor)),
}

export const auditEvents = [
  'createGroup',
  'updateGroup',
  'deleteGroup',
  'updateGroupMembers',
  'applyGroupRules',
] as const

export const screens = ['/groups', '/groups/create', '/groups/{groupId}', '/groups/{groupId}/edit'] as const
