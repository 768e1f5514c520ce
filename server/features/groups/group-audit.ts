import type { Group } from '#contract/groups/groups.ts'
import { listOfferedRoles } from '#server/features/service-roles/service-roles.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { lockOffered } from './groups.repository.ts'

/** What each event of a group has: its target, and whose it is. */
export const groupAudit = ({
  groupId,
  name,
  organizationId,
}: Pick<Group, 'groupId' | 'name' | 'organizationId'>): Pick<AuditEntry, 'target' | 'organizationIds'> => ({
  target: { id: groupId, label: name },
  organizationIds: [organizationId],
})

/** Events that name who is in a group no longer, each with a part of them. */
export function auditRemoved(
  audit: (entry: AuditEntry) => void,
  group: Parameters<typeof groupAudit>[0],
  parts: readonly string[],
): void {
  for (const peopleRemoved of parts)
    audit({ name: 'updateGroupMembers', ...groupAudit(group), after: { peopleRemoved } })
}

/** The group's values for an audit event. */
export async function told(
  db: Db,
  { organizationId, name, ruleAttribute, ruleValue, services }: Group,
  organization?: string,
) {
  const names = new Map((await lockOffered(db, organizationId)).map((one) => [one.serviceId, one.name]))
  const keys = new Map((await listOfferedRoles(db, organizationId)).map(({ roleId, key }) => [roleId, key]))
  const texts = services.map(({ serviceId, roleIds, validFrom, validUntil }) => {
    const roles = roleIds.map((roleId) => keys.get(roleId)).join(', ')
    const days = validFrom || validUntil ? ` (${[validFrom, '–', validUntil].filter(Boolean).join(' ')})` : ''
    return `${names.get(serviceId)}${roles && ` [${roles}]`}${days}`
  })
  return { name, ruleAttribute, ruleValue, services: texts.sort().join(', '), ...(organization && { organization }) }
}
