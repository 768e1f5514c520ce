import { withdrawServices } from '#server/features/users/users.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { type listToEnd, type Part, storeEnd } from './review-rows.repository.ts'

/** What people lose, person by person. */
export type ToEnd = Awaited<ReturnType<typeof listToEnd>>

/** How many services that are. */
export const countRows = (people: ToEnd) => people.reduce((rows, { rowIds }) => rows + rowIds.length, 0)

/**
 * Takes back what a review has decided, with one audit event for each person.
 *
 * @param decided when; and who decides it now, if it was not decided before
 */
export async function takeBack(
  context: Pick<RequestContext, 'db' | 'audit'>,
  { organizationId }: Pick<Part, 'organizationId'>,
  people: ToEnd,
  decided: { now: Date; by?: string },
): Promise<void> {
  for (const { accountId, serviceIds, rowIds } of people) {
    await withdrawServices(context, { accountId, organizationId, serviceIds })
    await storeEnd(context.db, rowIds, decided)
  }
}
