import { type Actor, may, mayAll } from '#contract/actor.ts'
import { type RolePermission, rolePermissions } from './role-permissions.ts'

interface InOrganization {
  organizationId: string
}

/** Each permission of a role is one of the door, which super users have everywhere. */
const ofRoles = Object.fromEntries(
  rolePermissions.map((name) => [
    name,
    (actor: Actor, target?: InOrganization) => actor.superUser || may(actor, name, target?.organizationId),
  ]),
) as Record<RolePermission, (actor: Actor, target?: InOrganization) => boolean>

export const permissions = {
  ...ofRoles,
  /** May everything there: asked for what then acts with all rights, such as the token of a directory. */
  administerOrganization: (actor: Actor, target?: InOrganization) =>
    actor.superUser || mayAll(actor, rolePermissions, target?.organizationId),
  /** For those who invite people, and those who help people who did not get the mail. */
  resendInvitations: (actor: Actor, target?: InOrganization) =>
    ofRoles.invitePeople(actor, target) || ofRoles.helpPeople(actor, target),
}

export const auditEvents = [
  'createOrganizationRole',
  'updateOrganizationRole',
  'deleteOrganizationRole',
  'updateUserRoles',
] as const

export const screens = [
  '/roles/{organizationId}',
  '/roles/{organizationId}/create',
  '/roles/{organizationId}/{roleId}',
] as const
