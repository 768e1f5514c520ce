import type { Change } from '#server/platform/audit/audit.ts'
import { knownToAll, readsOfAll, type Viewer } from './viewer.ts'

/** Who operates the portal, and what the operator notes for the operator, is not for customers (security 83). */
const ofOperator: ReadonlySet<string> = new Set([
  ...['superUser', 'portalRole', 'portalRoleFrom', 'portalRoleUntil'],
  'unprovenReason',
])

/** What the page of a person shows only to those who read personal details. */
const details: ReadonlySet<string> = new Set([
  ...['ssn', 'ssnProof', 'phoneNumber', 'emailProof', 'preferredLanguage'],
  ...['loginMethod', 'samlConfigId', 'lastActive', 'maxPassiveDays'],
])

/**
 * The changes that a viewer may read. An event of a person of several organisations may name the others, or roles and
 * services there: an admin of one of them reads only what all of them know.
 */
export function changesInSight(changes: Change[], organizationIds: readonly string[], viewer: Viewer): Change[] {
  if (viewer === 'everything') return changes
  if (readsOfAll(viewer))
    return changes.filter(
      ({ property }) => property !== 'unprovenReason' && (viewer === 'everythingButNotes' || !details.has(property)),
    )
  const areAmong = (ids: readonly string[]) => organizationIds.every((id) => ids.includes(id))
  if (!areAmong(viewer.organizationIds)) return changes.filter(({ property }) => knownToAll.has(property))
  const readsDetails = areAmong(viewer.detailIds)
  return changes.filter(({ property }) => !ofOperator.has(property) && (readsDetails || !details.has(property)))
}
