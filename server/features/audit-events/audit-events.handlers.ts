import type { Actor } from '#contract/actor.ts'
import { auditEvents } from '#contract/audit-events.ts'
import { can } from '#contract/permissions.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findEvent, listEvents, type Viewer } from './audit-events.repository.ts'
import { changesInSight } from './changes-in-sight.ts'

export const auditEventsHandlers: Handlers<typeof auditEvents> = {
  list: ({ db, actor, query, config }) => listEvents(db, viewerOf(actor), query, config.itemsPerPage),
  read: async ({ db, actor, params }) => {
    const viewer = viewerOf(actor)
    const { organizationIds, changes, ...event } = found(await findEvent(db, viewer, params.id))
    return { ...event, changes: changesInSight(changes, organizationIds, viewer) }
  },
}

/** Super users read everything, an admin the events of the organisations that they administer. */
function viewerOf(actor: Actor): Viewer {
  if (can(actor, 'readAllAuditEvents')) return 'everything'
  const administered = actor.organizations.filter(({ userRole }) => userRole === 'organizationAdmin')
  return { organizationIds: administered.map(({ organizationId }) => organizationId) }
}

export const createCallGroups: CreateCallGroups = () => [callGroup(auditEvents, auditEventsHandlers)]
