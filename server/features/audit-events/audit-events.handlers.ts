import { auditErasures } from '#contract/audit-events/audit-erasures.ts'
import { auditEvents } from '#contract/audit-events/audit-events.ts'
import { auditExports } from '#contract/audit-events/audit-exports.ts'
import { refuseSlowSearch } from '#server/platform/database/search.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findColdMonths, findEvent, listEvents } from './audit-events.repository.ts'
import { auditErasuresHandlers } from './erasure/erasures.handlers.ts'
import { findLink } from './event-links.repository.ts'
import { createAuditExportsHandlers } from './export-events.ts'
import { viewerOf } from './viewer.ts'

export const auditEventsHandlers: Handlers<typeof auditEvents> = {
  list: ({ db, actor, query, config }) =>
    listEvents(db, viewerOf(actor), query, config.itemsPerPage).catch(refuseSlowSearch('eventSearchTooSlow')),
  read: async ({ db, actor, params }) => {
    const viewer = viewerOf(actor)
    const event = found(await findEvent(db, viewer, params.id))
    const actorLink = await findLink(db, viewer, event.actorId)
    const targetLink = await findLink(db, viewer, event.targetId, event.name)
    return { ...event, actorLink, targetLink, hasColdMonths: (await findColdMonths(db)) !== null }
  },
}

export const createCallGroups: CreateCallGroups = ({ system }) => [
  callGroup(auditEvents, auditEventsHandlers),
  callGroup(auditErasures, auditErasuresHandlers),
  callGroup(auditExports, createAuditExportsHandlers(system)),
]
