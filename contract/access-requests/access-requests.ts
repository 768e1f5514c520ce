import * as z from 'zod/mini'
import { id, paged, pageQuery, requiredText, timestamp } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

/** An open request, for those who answer it. */
export const accessRequest = z.object({
  requestId: id,
  accountId: id,
  /** First and last name; null before the person has given them. */
  name: z.nullable(z.string()),
  email: z.string(),
  organizationId: id,
  organizationName: z.string(),
  serviceId: id,
  serviceName: z.string(),
  serviceIcon: z.nullable(z.string()),
  createdAt: timestamp,
  /** Null where the service has no limit there. */
  seatsLeft: z.nullable(z.int()),
})
export type AccessRequest = z.infer<typeof accessRequest>

/** Why a request is refused; the person reads it. */
export const refusalForm = z.strictObject({ reason: requiredText(500) })
export type RefusalForm = z.infer<typeof refusalForm>
export const refusalLabels: FieldLabels<RefusalForm> = { reason: 'refusalReason' }

const params = z.strictObject({ id })

export const accessRequests = {
  create: route('POST /api/access-requests', {
    summary: "Requests a service of the caller's organisation; its admins and those of the service get a mail",
    access: 'requestAccess',
    input: z.strictObject({ organizationId: id, serviceId: id }),
    target: ({ input }) => ({ organizationId: input.organizationId }),
    answer: 'nothing',
    audit: 'requestServiceAccess',
    // Its rate limit is counted before the transaction.
    atomic: false,
  }),
  list: route('GET /api/access-requests', {
    summary: 'The open requests that the caller may answer, page by page; totalCount is their number',
    access: 'answerAccessRequests',
    target: 'loaded',
    query: z.omit(pageQuery(['createdAt']), { searchQuery: true, sort: true }),
    answer: paged(accessRequest),
  }),
  grant: route('POST /api/access-requests/{id}/grant', {
    summary: 'Gives the person the service; 409 noSeatsLeft when all seats are taken',
    access: 'answerAccessRequests',
    target: 'loaded',
    params,
    answer: 'nothing',
    audit: 'grantServiceAccess',
  }),
  refuse: route('POST /api/access-requests/{id}/refuse', {
    summary: 'Refuses a request; the person sees the reason and may ask again',
    access: 'answerAccessRequests',
    target: 'loaded',
    params,
    input: refusalForm,
    answer: 'nothing',
    audit: 'refuseServiceAccess',
  }),
}
