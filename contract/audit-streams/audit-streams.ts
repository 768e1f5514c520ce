import * as z from 'zod/mini'
import { id, message, timestamp, url } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

/** Hours in which both the old and the new secret sign, so that a receiver can change it. */
export const secretOverlapHours = 24

export const auditStreamForm = z.strictObject({ url })
export type AuditStreamForm = z.infer<typeof auditStreamForm>
export const auditStreamLabels: FieldLabels<AuditStreamForm> = { url: 'webAddress' }

export const auditStream = z.object({
  streamId: id,
  url: z.string(),
  /** Why it no longer gets events: the receiver said so, or it failed for three days. */
  stopped: z.nullable(z.enum(['gone', 'failed'])),
  /** All events up to this number have been delivered. */
  deliveredSeq: z.int(),
  /** Events that are in the chain and wait. */
  waiting: z.int(),
  lastDeliveredAt: z.nullable(timestamp),
  /** Attempts in a row that failed, and what was wrong with the last: a text key, or a status of HTTP. */
  failures: z.int(),
  lastProblem: z.nullable(z.string()),
  nextTryAt: z.nullable(timestamp),
  /** Who has read its secret; null where the account is gone. */
  madeBy: z.nullable(z.string()),
  /** They are a super user today. Otherwise events wait until a super user makes a new secret. */
  stands: z.boolean(),
})
export type AuditStream = z.infer<typeof auditStream>

/** The secret is in this answer alone. */
const withSecret = z.object({ streamId: id, secret: z.string() })
const attempt = z.object({ delivered: z.boolean(), problem: z.nullable(z.string()) })
export type Attempt = z.infer<typeof attempt>

const params = z.strictObject({ id })
const seq = z.int(message('invalidNumber')).check(z.minimum(1, message('invalidNumber')))

export const auditStreams = {
  list: route('GET /api/audit-streams', {
    summary: 'Endpoints that get audit events as signed webhooks (Standard Webhooks)',
    access: 'manageAuditStreams',
    answer: z.array(auditStream),
  }),
  create: route('POST /api/audit-streams', {
    summary: 'Adds an endpoint, which gets the events from now on; the only answer with its secret',
    access: 'manageAuditStreams',
    freshProof: true,
    input: auditStreamForm,
    answer: withSecret,
    status: 201,
    audit: 'createAuditStream',
  }),
  renewSecret: route('POST /api/audit-streams/{id}/secret', {
    summary:
      'Makes a new secret, which the caller answers for; the old one signs too for a day. An endpoint of somebody who is no super user any more gets events again',
    access: 'manageAuditStreams',
    freshProof: true,
    params,
    answer: withSecret,
    audit: 'renewAuditStreamSecret',
  }),
  test: route('POST /api/audit-streams/{id}/test', {
    summary: 'Sends a test event, and says whether it arrived',
    access: 'manageAuditStreams',
    params,
    answer: attempt,
    audit: 'none',
    atomic: false,
  }),
  resendOne: route('POST /api/audit-streams/{id}/resend-one', {
    summary: 'Sends one event again, and says whether it arrived',
    access: 'manageAuditStreams',
    params,
    input: z.strictObject({ seq }),
    answer: attempt,
    audit: 'resendAuditEvents',
    atomic: false,
  }),
  resend: route('POST /api/audit-streams/{id}/resend', {
    summary: 'Sends everything again from a number or a moment on, or goes on where it stopped',
    access: 'manageAuditStreams',
    params,
    input: z.strictObject({ fromSeq: z.optional(seq), from: z.optional(timestamp) }),
    answer: 'nothing',
    audit: 'resendAuditEvents',
  }),
  remove: route('DELETE /api/audit-streams/{id}', {
    summary: 'Removes an endpoint',
    access: 'manageAuditStreams',
    freshProof: true,
    params,
    answer: 'nothing',
    audit: 'deleteAuditStream',
  }),
}
