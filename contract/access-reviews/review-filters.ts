import * as z from 'zod/mini'
import { id, pageQuery } from '#contract/fields/fields.ts'
import { serviceRole } from '#contract/roles.ts'
import { reviewDecisions } from './review-answers.ts'

/** How long before the review began somebody had used a service. `unknown`: see `lastUsed` of a row. */
export const lastUses = ['within30Days', 'within90Days', 'over90Days', 'over180Days', 'unknown'] as const
export type LastUse = (typeof lastUses)[number]

export const reviewedPeople = ['guests', 'organizationAdmins'] as const
export const decisionStates = ['undecided', ...reviewDecisions] as const

/** Which rows of a review; a person is listed with those that match. */
export const reviewFilters = z.strictObject({
  serviceId: z.optional(id),
  /** The role in the service. */
  role: z.optional(serviceRole),
  lastUse: z.optional(z.enum(lastUses)),
  people: z.optional(z.enum(reviewedPeople)),
  decision: z.optional(z.enum(decisionStates)),
})
export type ReviewFilters = z.infer<typeof reviewFilters>

export const reviewQuery = z.extend(z.omit(pageQuery(['name']), { sort: true, sortDirection: true }), {
  ...reviewFilters.shape,
  // All people, to print them or to decide about them at once.
  all: z.optional(z.literal('true')),
})
