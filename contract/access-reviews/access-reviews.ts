import * as z from 'zod/mini'
import { id, paged, pageQuery, timestamp } from '#contract/fields/fields.ts'
import { serviceRole } from '#contract/roles.ts'
import { route } from '#contract/route.ts'

export const reviewDecisions = ['keep', 'takeBack'] as const
export type ReviewDecision = (typeof reviewDecisions)[number]

/** Days after which the admins of an organisation are reminded of an open review, again and again. */
export const reviewReminderDays = 14

/** The most rows that one call decides. */
export const maxDecided = 100

/** A review of who keeps which service. */
export const accessReview = z.object({
  openedAt: timestamp,
  finishedAt: z.nullable(timestamp),
  /** The address at the time; the operator's company for a super user from outside the organisation. */
  finishedBy: z.nullable(z.string()),
  total: z.int(),
  /** Rows whose service was kept or removed by a decision, or lost in another way. */
  done: z.int(),
})
export type AccessReview = z.infer<typeof accessReview>

/** A person with a service, as it was when the review began. */
export const reviewRow = z.object({
  rowId: id,
  accountId: id,
  name: z.nullable(z.string()),
  email: z.string(),
  serviceId: id,
  serviceName: z.string(),
  userRole: serviceRole,
  /**
   * When the person last entered it for this organisation, from the launcher or at the service; null for never, and where
   * another one gave it too and the service did not say for which it was: the two look alike, so that nobody learns of that one.
   */
  lastUsed: z.nullable(timestamp),
  decision: z.nullable(z.enum(reviewDecisions)),
  /** As `finishedBy`. */
  decidedBy: z.nullable(z.string()),
  /** False: the person no longer has the service. */
  present: z.boolean(),
})
export type ReviewRow = z.infer<typeof reviewRow>

const params = z.strictObject({ id })
const ofOrganization = { access: 'administerOrganization', params } as const
const target = ({ params: { id: organizationId } }: { params: { id: string } }) => ({ organizationId })

export const accessReviews = {
  list: route('GET /api/organizations/{id}/access-review', {
    summary: 'The open review of an organisation, or the last one; what is undecided first',
    ...ofOrganization,
    target,
    // All rows, to print them.
    query: z.extend(z.omit(pageQuery(['name']), { searchQuery: true, sort: true, sortDirection: true }), {
      all: z.optional(z.literal('true')),
    }),
    answer: z.extend(paged(reviewRow), {
      review: z.nullable(accessReview),
      /** When the next review starts automatically; null while one is open, and if ACCESS_REVIEW_MONTHS is 0. */
      nextAt: z.nullable(timestamp),
    }),
  }),
  start: route('POST /api/organizations/{id}/access-review', {
    summary:
      'Begins a review of everybody who has a service; 409 reviewOpen while one is open, reviewEmpty without anybody',
    ...ofOrganization,
    target,
    answer: 'nothing',
    audit: 'startAccessReview',
  }),
  decide: route('POST /api/organizations/{id}/access-review/decisions', {
    summary: 'Keeps or removes services of people; rows that are already decided or no longer exist are not changed',
    ...ofOrganization,
    target,
    input: z.strictObject({
      rowIds: z.array(id).check(z.minLength(1), z.maxLength(maxDecided)),
      decision: z.enum(reviewDecisions),
    }),
    answer: 'nothing',
    audit: { one: 'decideAccessReview', andFollowing: 'updateUserServices' },
  }),
  finish: route('POST /api/organizations/{id}/access-review/finish', {
    summary: 'Ends the open review; 409 reviewUndecided while something is undecided',
    ...ofOrganization,
    target,
    answer: 'nothing',
    audit: 'finishAccessReview',
  }),
  report: route('GET /api/organizations/{id}/access-review/report', {
    summary: 'The same review as a file',
    ...ofOrganization,
    freshProof: true,
    target,
    answer: 'csv',
    audit: 'exportAccessReview',
  }),
}
