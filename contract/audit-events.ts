import * as z from 'zod/mini'
import { id, paged, pageQuery, text, timestamp } from './fields.ts'
import { route } from './route.ts'

/** A total above this is not counted to the end: the answer says so in `hasMore`. */
export const maxCountedEvents = 10_000

/** What happened, who did it and to what. Labels are as they were at the time. */
export const auditEvent = z.object({
  id,
  name: z.string(),
  /** Null for someone who was not signed in. */
  actor: z.nullable(z.string()),
  target: z.nullable(z.string()),
  createdAt: timestamp,
})
export type AuditEvent = z.infer<typeof auditEvent>

export const auditEventDetail = z.extend(auditEvent, {
  changes: z.array(
    z.object({ property: z.string(), previousValue: z.nullable(z.string()), newValue: z.nullable(z.string()) }),
  ),
  /** Of the request that caused it, as the log has it. */
  requestId: z.nullable(z.string()),
})
export type AuditEventDetail = z.infer<typeof auditEventDetail>

const { page, sort, sortDirection } = pageQuery(['createdAt', 'name', 'actor', 'target'], 'desc').shape

export const auditEvents = {
  list: route('GET /api/audit-events', {
    summary: 'Audit events: all for super users, those of the own organisations for their admins',
    access: 'readAuditEvents',
    query: z.strictObject({
      page,
      sort,
      sortDirection,
      /** Exactly this name. */
      nameFilter: z.optional(text(100)),
      /** Part of the actor's label, in any case. */
      actorFilter: z.optional(text(200)),
      /** Part of the target's label, in any case. */
      targetFilter: z.optional(text(200)),
      organizationFilter: z.optional(id),
      /** Not before this time. */
      from: z.optional(timestamp),
      /** Before this time. */
      until: z.optional(timestamp),
    }),
    answer: z.extend(paged(auditEvent), { hasMore: z.boolean() }),
  }),
  read: route('GET /api/audit-events/{id}', {
    summary: 'One audit event with its changes',
    access: 'readAuditEvents',
    params: z.strictObject({ id }),
    answer: auditEventDetail,
  }),
}
