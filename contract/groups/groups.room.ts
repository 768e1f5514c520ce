import { type Actor, mayAll } from '#contract/actor.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'

export const permissions = {
  /** The groups of an organisation: who is in them, and what they give. For who may everything there: a group reaches everybody. */
  manageGroups: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser || mayAll(actor, rolePermissions, target?.organizationId),
}

export const auditEvents = [
  'createGroup',
  'updateGroup',
  'deleteGroup',
  'updateGroupMembers',
  'applyGroupRules',
  'giveFreeSeats',
] as const

export const screens = ['/groups', '/groups/create', '/groups/{groupId}', '/groups/{groupId}/edit'] as const
