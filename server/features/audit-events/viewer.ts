import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'

/** What every organisation of a person or service knows of it. */
export const knownToAll: ReadonlySet<string> = new Set(['firstName', 'lastName', 'email', 'name', 'url', 'passive'])

/** Whose events may be read: those of these organisations, and of the own account. */
export type Viewer =
  | 'everything'
  /** Of all organisations, without what super users note for each other. */
  | 'everythingButNotes'
  /** The same, without what only those read who read personal details. */
  | 'everythingButDetails'
  | {
      organizationIds: readonly string[]
      /** Of these, those whose people's personal details the viewer reads, too. */
      detailIds: readonly string[]
      accountId: string
    }

/** True for who reads the events of all organisations. */
export const readsOfAll = (viewer: Viewer): viewer is Extract<Viewer, string> => typeof viewer === 'string'

/** Super users, and who reads the log everywhere, read everything, others the events of the organisations whose log they may read. */
export function viewerOf(actor: Actor): Viewer {
  if (can(actor, 'manageUsers')) return 'everything'
  if (can(actor, 'readAllAuditEvents'))
    return can(actor, 'readAllDetails') ? 'everythingButNotes' : 'everythingButDetails'
  const administered = actor.organizations.filter((own) => can(actor, 'readAudit', own))
  const idsOf = (places: typeof administered) => places.map(({ organizationId }) => organizationId)
  const detailed = administered.filter((own) => can(actor, 'readDetails', own))
  return { organizationIds: idsOf(administered), detailIds: idsOf(detailed), accountId: actor.accountId }
}
