import * as z from 'zod/mini'
import { id, timestamp } from '#contract/fields/fields.ts'
import { organizationRole, serviceRole } from '#contract/roles.ts'

export const reviewDecisions = ['keep', 'takeBack'] as const
export type ReviewDecision = (typeof reviewDecisions)[number]
export const reviewDecision = z.enum(reviewDecisions)

/** A review of who keeps which service, as far as its reader takes part in it. */
export const accessReview = z.object({
  openedAt: timestamp,
  /** `reviewDueDays` later. */
  dueAt: timestamp,
  /** When its end began: decisions are closed. */
  endingAt: z.nullable(timestamp),
  finishedAt: z.nullable(timestamp),
  /** The address at the time; the operator's company for a super user from outside the organisation. */
  finishedBy: z.nullable(z.string()),
  total: z.int(),
  /** Rows with a decision, and those whose service was lost in another way. */
  done: z.int(),
  kept: z.int(),
  takenBack: z.int(),
})
export type AccessReview = z.infer<typeof accessReview>

/** A service of a person, as it was when the review began. */
export const reviewRow = z.object({
  rowId: id,
  serviceId: id,
  serviceName: z.string(),
  userRole: serviceRole,
  /** The keys of the roles of the service that the person had. */
  serviceRoles: z.array(z.string()),
  /** The groups that give it now, by name: taking it back takes the person out of these, and ends all that they give. */
  groups: z.array(z.string()),
  /**
   * When the person last entered it for this organisation, from the launcher or at the service; null for never, and where
   * another one gave it too and the service did not say for which it was: the two look alike, so that nobody learns of that one.
   */
  lastUsed: z.nullable(timestamp),
  /** The last day of the service, or of the membership if that comes before. */
  endsOn: z.nullable(z.string()),
  decision: z.nullable(reviewDecision),
  /** As `finishedBy`. */
  decidedBy: z.nullable(z.string()),
  /** False: the person no longer has the service, and nothing is left to decide. */
  present: z.boolean(),
})
export type ReviewRow = z.infer<typeof reviewRow>

/** A person with those rows that the filters leave. */
export const reviewPerson = z.object({
  accountId: id,
  name: z.nullable(z.string()),
  email: z.string(),
  /** Null for someone who is no longer a member. */
  userRole: z.nullable(organizationRole),
  guest: z.boolean(),
  rows: z.array(reviewRow),
})
export type ReviewPerson = z.infer<typeof reviewPerson>

/** A service of the review, with its progress. */
export const reviewedService = z.object({ serviceId: id, name: z.string(), total: z.int(), done: z.int() })
export type ReviewedService = z.infer<typeof reviewedService>

/** A member who is asked to decide who keeps one service. */
export const serviceReviewer = z.object({
  accountId: id,
  name: z.nullable(z.string()),
  email: z.string(),
  serviceId: id,
  askedAt: timestamp,
})
export type ServiceReviewer = z.infer<typeof serviceReviewer>

/** An open review of an organisation. */
export const openReview = z.object({
  organizationId: id,
  organizationName: z.string(),
  openedAt: timestamp,
  dueAt: timestamp,
  overdue: z.boolean(),
  total: z.int(),
  done: z.int(),
  /** When its admins were last mailed. */
  remindedAt: z.nullable(timestamp),
})
export type OpenReview = z.infer<typeof openReview>

/** What somebody is asked to review. */
export const askedReview = z.object({
  organizationId: id,
  organizationName: z.string(),
  services: z.array(z.string()),
  undecided: z.int(),
})
export type AskedReview = z.infer<typeof askedReview>
