import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Work } from '../admit-person.ts'
import { inWords } from './map-group.ts'
import type { ScimGroup } from './scim-groups.repository.ts'
import { listDirectoryGroups } from './scim-members.repository.ts'

/** What a group of the directory has become, in words; undefined for nothing. */
export async function mappingOf({ db }: Work, { organizationId, scimGroupId, groupId, role }: ScimGroup) {
  if (groupId === null && role === null) return undefined
  const [shown] = await listDirectoryGroups(db, { organizationId, scimGroupId })
  return shown && inWords(shown)
}

/** Says that a group which gives something has another name, or has ended. */
export const tellOfMapping = ({ audit }: Work, group: ScimGroup, change: Pick<AuditEntry, 'before' | 'after'>) =>
  audit({
    name: 'mapDirectoryGroup',
    target: { id: group.scimGroupId, label: group.displayName },
    ...change,
    organizationIds: [group.organizationId],
  })
