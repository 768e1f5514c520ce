import { type Actor, holdsScoped, mayAll } from '#contract/actor.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'

interface InOrganization {
  organizationId: string
}

const manageGroups = (actor: Actor, target?: InOrganization) =>
  actor.superUser || mayAll(actor, rolePermissions, target?.organizationId)

export const permissions = {
  /** The groups of an organisation: who is in them, and what they give. For who may everything there: a group reaches everybody. */
  manageGroups,
  /** The groups of an organisation, as far as one puts people in them. */
  listGroups: (actor: Actor, target?: InOrganization) =>
    manageGroups(actor, target) || holdsScoped(actor, 'groupAdmin', target),
  /** Who is in one group: also for its admins, who change nothing else of it. */
  administerGroup: (actor: Actor, target?: InOrganization & { groupId: string }) =>
    manageGroups(actor, target) || holdsScoped(actor, 'groupAdmin', { ...target, scopeId: target?.groupId }),
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
