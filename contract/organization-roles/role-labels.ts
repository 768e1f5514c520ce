import type { MessageKey } from '#contract/message-key.ts'
import { type PortalRole, portalRole, portalRoleLabels } from '#contract/portal-roles.ts'
import type { BuiltInRole } from './role-permissions.ts'

/** What the built-in roles are called. */
export const builtInRoleLabels: Readonly<Record<BuiltInRole, MessageKey>> = {
  reader: 'roleReader',
  auditor: 'roleAuditor',
  helpDesk: 'roleHelpDesk',
  personnelAdministrator: 'rolePersonnelAdministrator',
}

/** A role that somebody has. */
export interface NamedRole {
  /** The key of a role that every portal has, or the id of one of an organisation's own. */
  role: string
  /** Of an organisation's own role, or of the service or group that the role is for; null for any other. */
  name: string | null
}

/** A role in the portal among those that somebody has. Its label is its key, because an organisation's roles have other ones. */
export const namedPortalRole = (role: PortalRole): NamedRole => ({ role: portalRoleLabels[role], name: null })

const labels: Readonly<Record<string, MessageKey>> = {
  ...builtInRoleLabels,
  superUser: 'superUser',
  ...Object.fromEntries(portalRole.options.map((role) => [namedPortalRole(role).role, portalRoleLabels[role]])),
  regular: 'roleRegular',
  organizationAdmin: 'organizationAdmin',
  serviceAdmin: 'serviceAdminOf',
  serviceOwner: 'serviceOwnerOf',
  groupAdmin: 'groupAdminOf',
}

/** What any role is called. */
export function roleText({ role, name }: NamedRole, text: (key: MessageKey, values: { name: string }) => string) {
  const label = Object.hasOwn(labels, role) ? labels[role] : undefined
  return label ? text(label, { name: name ?? '' }) : (name ?? role)
}
