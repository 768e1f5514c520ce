import type { MessageKey } from '#contract/message-key.ts'
import type { BuiltInRole } from './role-permissions.ts'

/** What the built-in roles are called. */
export const builtInRoleLabels: Readonly<Record<BuiltInRole, MessageKey>> = {
  reader: 'roleReader',
  auditor: 'roleAuditor',
  helpDesk: 'roleHelpDesk',
  personnelAdministrator: 'rolePersonnelAdministrator',
}
