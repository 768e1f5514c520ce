import { type Actor, belongsTo, mayAtHome, mayEverywhere, superUsers } from '#contract/actor.ts'

export const permissions = {
  manageOrganizations: superUsers,
  readOrganizations: (actor: Actor) => mayEverywhere(actor, 'readSettings'),
  /** The settings of an own organisation. */
  readOwnSettings: (actor: Actor) => mayAtHome(actor, 'readSettings'),
  readOrganization: (actor: Actor, target?: { organizationId: string }) =>
    mayEverywhere(actor, 'readSettings') || !target || belongsTo(actor, target.organizationId),
}

export const auditEvents = ['createOrganization', 'deleteOrganization', 'updateOrganization'] as const

export const screens = [
  '/my-organization',
  '/organization-settings',
  '/organization-settings/create',
  '/organization-settings/invite/{organizationId}',
  '/organization-settings/{organizationId}',
  '/organization-settings/{organizationId}/sign-in',
  '/organization-settings/{organizationId}/sign-in-link',
  '/organization-settings/{organizationId}/{accountId}',
] as const
