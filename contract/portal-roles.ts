import * as z from 'zod/mini'
import type { MessageKey } from './message-key.ts'
import { builtInRoles, type RolePermission } from './organization-roles/role-permissions.ts'

/**
 * Roles of the operator's own people beside super user: what each may in every organisation. They read and change nothing
 * anywhere. The database has the same list.
 */
export const portalRole = z.enum(['reader', 'auditor'])
export type PortalRole = z.infer<typeof portalRole>

/** What the holder of a portal role may in every organisation: what the role of the same name allows in one. */
export const permissionsOfPortalRole = (role: PortalRole | null | undefined): readonly RolePermission[] =>
  role ? builtInRoles[role] : []

/** What the portal roles are called. */
export const portalRoleLabels: Readonly<Record<PortalRole, MessageKey>> = {
  reader: 'portalReader',
  auditor: 'portalAuditor',
}
