import {
  decisionStates,
  lastUses,
  type ReviewFilters,
  reviewedPeople,
} from '#contract/access-reviews/review-filters.ts'
import { serviceRole } from '#contract/roles.ts'

/** What a review keeps in its address. Without `decision` an open review shows what is undecided. */
export interface ReviewSearch extends Omit<ReviewFilters, 'decision'> {
  page?: number | undefined
  searchQuery?: string | undefined
  decision?: ReviewFilters['decision'] | 'all'
}

type Given = Record<string, unknown>
const one = <Value extends string>(values: readonly Value[], given: unknown) => values.find((value) => value === given)
const pageOf = (given: unknown) =>
  /^[1-9][0-9]{0,8}$/.test(String(given)) && Number(given) > 1 ? Number(given) : undefined

/** Reads the address; a value that nobody offered counts as none. */
export const reviewSearch = (given: Given): ReviewSearch => ({
  page: pageOf(given.page),
  searchQuery: typeof given.searchQuery === 'string' ? given.searchQuery.slice(0, 200) || undefined : undefined,
  serviceId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(given.serviceId))
    ? String(given.serviceId)
    : undefined,
  role: one(serviceRole.options, given.role),
  lastUse: one(lastUses, given.lastUse),
  people: one(reviewedPeople, given.people),
  decision: one([...decisionStates, 'all'] as const, given.decision),
})

/** The list of open reviews: all, or those that are overdue. */
export const openReviewsSearch = (given: Given): { page?: number | undefined; overdue?: 'true' | undefined } => ({
  page: pageOf(given.page),
  overdue: given.overdue === 'true' ? 'true' : undefined,
})
