import type { Group } from '#contract/groups/groups.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'

/** What each event of a group has: its target, and whose it is. */
export const groupAudit = ({
  groupId,
  name,
  organizationId,
}: Pick<Group, 'groupId' | 'name' | 'organizationId'>): Pick<AuditEntry, 'target' | 'organizationIds'> => ({
  target: { id: groupId, label: name },
  organizationIds: [organizationId],
})
