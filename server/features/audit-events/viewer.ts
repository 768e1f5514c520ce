import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'

/** What every organisation of a person or service knows of it. */
export const knownToAll: ReadonlySet<string> = new Set(['firstName', 'lastName', 'email', 'name', 'url', 'passive'])

/** Whose events may be read: those of these organisations, and of the own account. */
export type Viewer = 'everything' | { organizationIds: readonly string[]; accountId: string }

/** Super users read everything, an admin the events of the organisations that they administer. */
export function viewerOf(actor: Actor): Viewer {
  if (can(actor, 'readAllAuditEvents')) return 'everything'
  const administered = actor.organizations.filter(({ userRole }) => userRole === 'organizationAdmin')
  return { organizationIds: administered.map(({ organizationId }) => organizationId), accountId: actor.accountId }
}
