import { serviceAdminNeeds } from '#contract/organization-roles/role-permissions.ts'
import { refuseMoreThanOwn } from '#server/accounts/own-permissions.ts'
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
 * @throws Problem 403 `moreThanOwn` for the admin of a service, whom only those take who appoint one
 */
export async function takeBack(
  context: Pick<RequestContext, 'db' | 'audit' | 'actor'>,
  { organizationId }: Pick<Part, 'organizationId'>,
  people: ToEnd,
  decided: { now: Date; by?: string },
): Promise<void> {
  if (people.some(({ isOfAdmin }) => isOfAdmin))
    await refuseMoreThanOwn(context.db, context.actor, { organizationId, permissions: serviceAdminNeeds })
  for (const { accountId, serviceIds, rowIds } of people) {
    await withdrawServices(context, { accountId, organizationId, serviceIds })
    await storeEnd(context.db, rowIds, decided)
  }
}
