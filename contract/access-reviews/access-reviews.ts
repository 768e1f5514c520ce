import * as z from 'zod/mini'
import { id, limited, paged, pageQuery, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import {
  accessReview,
  askedReview,
  openReview,
  reviewDecision,
  reviewedService,
  reviewPerson,
  serviceReviewer,
} from './review-answers.ts'
import { reviewQuery } from './review-filters.ts'

/** Days after which the reviewers of an organisation are reminded of an open review, again and again. */
export const reviewReminderDays = 14

/** Days after which an open review is overdue. */
export const reviewDueDays = 30

/** Hours between two reminders of the same review. */
export const reviewReminderHours = 24

/** The most rows that one call decides. */
export const maxDecided = 1000

/** Of so many people one call takes services back as a review ends: their rows are locked until it has answered. */
export const peopleAtOnce = 100

/** People on a page of the review, unless all are asked for. */
export const reviewedPerPage = 25

const params = z.strictObject({ id })
const target = ({ params: { id: organizationId } }: { params: { id: string } }) => ({ organizationId })
const ofAdmins = { access: 'decideReviews', params, target } as const
const ofReviewers = { access: 'takePartInReview', params, target } as const
const rowIds = z.array(id).check(limited(maxDecided), z.minLength(1))
const reviewer = z.strictObject({ serviceId: id, accountId: id })

export const accessReviews = {
  open: route('GET /api/access-reviews', {
    summary: 'The open reviews of all organisations, the oldest first',
    access: 'listAccessReviews',
    query: z.extend(z.pick(pageQuery(['openedAt']), { page: true }), { overdue: z.optional(z.literal('true')) }),
    answer: paged(openReview),
  }),
  asked: route('GET /api/access-reviews/asked', {
    summary: 'What the caller is asked to review',
    access: 'signedIn',
    answer: z.array(askedReview),
  }),
  list: route('GET /api/organizations/{id}/access-review', {
    summary:
      'The people of the open review of an organisation, or of the last one, as far as the caller takes part in it: 404 for members who are not asked',
    ...ofReviewers,
    query: reviewQuery,
    answer: z.extend(paged(reviewPerson), {
      organizationName: z.string(),
      /** Rows of all people who match. */
      matching: z.int(),
      review: z.nullable(accessReview),
      services: z.array(reviewedService),
      /** Who is asked for a service; told to admins alone. */
      reviewers: z.array(serviceReviewer),
      /** The caller decides about the whole review: finishes it, asks others. */
      whole: z.boolean(),
      /** The caller decides about something of it; others only read. */
      decides: z.boolean(),
      /** When the next review starts automatically; null while one is open, and if ACCESS_REVIEW_MONTHS is 0. */
      nextAt: z.nullable(timestamp),
    }),
  }),
  start: route('POST /api/organizations/{id}/access-review', {
    summary:
      'Begins a review of everybody who has a service; 409 reviewOpen while one is open, reviewEmpty without anybody',
    ...ofAdmins,
    answer: 'nothing',
    audit: 'startAccessReview',
  }),
  decide: route('POST /api/organizations/{id}/access-review/decisions', {
    summary:
      'Notes a decision for those of the rows whose decision is still `from`, or takes it back with null; nobody loses anything before the review is finished. Who decides a part decides nothing about themselves, and takes nothing back that comes by a group: 409 serviceComesByGroup',
    ...ofReviewers,
    input: z.strictObject({ rowIds, from: z.nullable(reviewDecision), decision: z.nullable(reviewDecision) }),
    answer: z.object({
      /** Fewer than were named: somebody else decided about the others, they are gone, or not for the caller to decide. */
      changed: z.int(),
    }),
    audit: 'decideAccessReview',
  }),
  takeBackAtOnce: route('POST /api/organizations/{id}/access-review/at-once', {
    summary: 'Takes services back from one person now, without waiting for the end of the review',
    ...ofAdmins,
    freshProof: true,
    input: z.strictObject({ accountId: id, rowIds }),
    answer: 'nothing',
    audit: { one: 'decideAccessReview', andFollowing: 'updateUserServices' },
  }),
  remind: route('POST /api/organizations/{id}/access-review/reminder', {
    summary: 'Mails everybody who still has to decide; 409 reviewJustReminded within 24 hours of the last mail',
    ...ofAdmins,
    answer: 'nothing',
    audit: 'remindAccessReview',
  }),
  ask: route('POST /api/organizations/{id}/access-review/reviewers', {
    summary: 'Asks a member to decide who keeps one service; they see that service in that review, and nothing else',
    ...ofAdmins,
    input: reviewer,
    answer: 'nothing',
    audit: 'askAccessReviewer',
    atomic: false,
  }),
  dismiss: route('DELETE /api/organizations/{id}/access-review/reviewers/{serviceId}/{accountId}', {
    summary: 'No longer asks a member; what they decided stays',
    ...ofAdmins,
    params: z.extend(params, reviewer.shape),
    answer: 'nothing',
    audit: 'dismissAccessReviewer',
  }),
  finish: route('POST /api/organizations/{id}/access-review/finish', {
    summary: `Ends the open review: closes the decisions, and takes back what was decided so, from ${peopleAtOnce} people with each call; to be called until nothing is left. 409 reviewUndecided while something is undecided, reviewChanged if \`takeBack\` is not the number of services that would be taken back as the end begins`,
    ...ofAdmins,
    freshProof: true,
    input: z.strictObject({ takeBack: z.int().check(z.minimum(0)) }),
    answer: z.object({
      /** Services that are still to be taken back; 0: the review is finished. */
      left: z.int(),
    }),
    audit: { atMost: ['finishAccessReview'], andFollowing: 'updateUserServices' },
  }),
  report: route('GET /api/organizations/{id}/access-review/report', {
    summary: 'Every decision of the same review as a file',
    access: 'readReviews',
    params,
    target,
    freshProof: true,
    answer: 'csv',
    audit: 'exportAccessReview',
  }),
}
