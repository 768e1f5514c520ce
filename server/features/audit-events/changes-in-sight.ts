import type { Change } from '#server/platform/audit/audit.ts'
import { knownToAll, type Viewer } from './viewer.ts'

/** Who operates the portal, and what the operator notes for the operator, is not for customers (security 83). */
const ofOperator: ReadonlySet<string> = new Set(['superUser', 'unprovenReason'])

/**
 * The changes that a viewer may read. An event of a person of several organisations may name the others, or roles and
 * services there: an admin of one of them reads only what all of them know.
 */
export const changesInSight = (changes: Change[], organizationIds: readonly string[], viewer: Viewer): Change[] =>
  viewer === 'everything'
    ? changes
    : organizationIds.every((id) => viewer.organizationIds.includes(id))
      ? changes.filter(({ property }) => !ofOperator.has(property))
      : changes.filter(({ property }) => knownToAll.has(property))
