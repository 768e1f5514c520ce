import * as z from 'zod/mini'
import { id, longPaged, pageQuery, text, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { signInEvents } from '#contract/sign-in/sign-in-events.ts'

/** In a list, values of changes are cut to this length. */
export const maxListedValue = 120

const change = z.object({
  property: z.string(),
  previousValue: z.nullable(z.string()),
  newValue: z.nullable(z.string()),
})

/** What happened, who did it and to what. Labels are as they were at the time. */
export const auditEvent = z.object({
  id,
  name: z.string(),
  /** Null for someone who was not signed in, or whom the reader may not know. */
  actor: z.nullable(z.string()),
  target: z.nullable(z.string()),
  /** The names that people had at the time. Null for what is no person, and for a person without a name. */
  actorName: z.nullable(z.string()),
  targetName: z.nullable(z.string()),
  createdAt: timestamp,
  changes: z.array(change),
})
export type AuditEvent = z.infer<typeof auditEvent>

/** A thing that exists, and that the reader may see. */
const link = z.object({ kind: z.enum(['user', 'organization', 'service', 'samlConfig']), id: z.string() })
export type EventLink = z.infer<typeof link>

export const auditEventDetail = z.extend(auditEvent, {
  /** Identifies the target, as `targetIdFilter` takes it. */
  targetId: z.nullable(z.string()),
  actorLink: z.nullable(link),
  targetLink: z.nullable(link),
  /** Of the request that caused it, as the log has it. */
  requestId: z.nullable(z.string()),
})
export type AuditEventDetail = z.infer<typeof auditEventDetail>

const { page, sort, sortDirection } = pageQuery(['createdAt', 'name', 'actor', 'target'], 'desc').shape

/** The events of people who sign in or out; every other one is a change. */
export const eventsOfKindSignIns = [
  ...signInEvents,
  'serviceEntryRefused',
  'serviceRequestRefused',
  'signOutNotDelivered',
  'strengthenSession',
] as const

/** Which events: an export takes the same filters as the list. */
export const eventFilters = {
  /** Sign-ins and sign-outs, or everything else. */
  kindFilter: z.optional(z.enum(['changes', 'signIns'])),
  /** Exactly this name. */
  nameFilter: z.optional(text(100)),
  /**
   * Words of the actor's label or name, in any case and order, and any part of them. A whole address that stands in the log is
   * that one alone; so it is in the next two.
   */
  actorFilter: z.optional(text(200)),
  /** Words of the target's label or name. */
  targetFilter: z.optional(text(200)),
  /** Words of the label or name of actor or target: all of one of them, or, where nobody has them all, of both together. */
  textFilter: z.optional(text(200)),
  /** Exactly this target. */
  targetIdFilter: z.optional(text(100)),
  organizationFilter: z.optional(id),
  /** Not before this time. */
  from: z.optional(timestamp),
  /** Before this time. */
  until: z.optional(timestamp),
}

/** The first and the last month of which the events are in files, as 2024-01; told where the list ends and asks for that time. */
const coldMonths = z.nullable(z.object({ first: z.string(), last: z.string() }))

export const auditEvents = {
  list: route('GET /api/audit-events', {
    summary: 'Audit events: all for super users, those of their own organisations for admins',
    access: 'readAuditEvents',
    mayLag: true,
    query: z.strictObject({
      page,
      sort,
      sortDirection,
      ...eventFilters,
    }),
    answer: z.extend(longPaged(auditEvent), { coldMonths }),
  }),
  read: route('GET /api/audit-events/{id}', {
    summary: 'One audit event with its changes',
    access: 'readAuditEvents',
    params: z.strictObject({ id }),
    /** Whether older events are in files, which an erasure does not change. */
    answer: z.extend(auditEventDetail, { hasColdMonths: z.boolean() }),
  }),
}
