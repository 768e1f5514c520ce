import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'

/** What every organisation of a person or service knows of it. */
export const knownToAll: ReadonlySet<string> = new Set(['firstName', 'lastName', 'email', 'name', 'url', 'passive'])

/** Whose events may be read: those of these organisations, and of the own account. */
export type Viewer =
  | 'everything'
  | {
      organizationIds: readonly string[]
      /** Of these, those whose people's personal details the viewer reads, too. */
      detailIds: readonly string[]
      accountId: string
    }

/** Super users read everything, others the events of the organisations whose log they may read. */
export function viewerOf(actor: Actor): Viewer {
  if (can(actor, 'readAllAuditEvents')) return 'everything'
  const administered = actor.organizations.filter((own) => can(actor, 'readAudit', own))
  const idsOf = (places: typeof administered) => places.map(({ organizationId }) => organizationId)
  const detailed = administered.filter((own) => can(actor, 'readDetails', own))
  return { organizationIds: idsOf(administered), detailIds: idsOf(detailed), accountId: actor.accountId }
}
