import type { Change } from '#server/platform/audit/audit.ts'
import type { Viewer } from './viewer.ts'

// Name and address are what every organisation of a person knows; a service's name and address too.
const shared = new Set(['firstName', 'lastName', 'email', 'name', 'url'])

/**
 * The changes that a viewer may read. An event of a person of several organisations may name the others, or roles and
 * services there: an admin of one of them reads only what all of them know. Who
 * operates the portal is not for customers (security 83).
 */
export const changesInSight = (changes: Change[], organizationIds: readonly string[], viewer: Viewer): Change[] =>
  viewer === 'everything'
    ? changes
    : organizationIds.every((id) => viewer.organizationIds.includes(id))
      ? changes.filter(({ property }) => property !== 'superUser')
      : changes.filter(({ property }) => shared.has(property))
