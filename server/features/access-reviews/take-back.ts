import { withdrawServices } from '#server/features/users/users.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { listToEnd, type Part, storeEnd } from './review-rows.repository.ts'

interface TakeBack {
  /** Some services of one person; otherwise everything that was decided so. */
  one?: { accountId: string; rowIds: readonly string[] }
  /** Who decides it now; otherwise it was decided before. */
  by?: string
  now: Date
  /** Is told how many services end, before they do. */
  before: (rows: number) => void
}

/** Takes back what a review has decided, with one audit event for each person. */
export async function takeBack(
  context: Pick<RequestContext, 'db' | 'audit'>,
  part: Part,
  { one, by, now, before }: TakeBack,
): Promise<void> {
  const people = await listToEnd(context.db, part, one)
  before(people.reduce((rows, { rowIds }) => rows + rowIds.length, 0))
  for (const { accountId, serviceIds, rowIds } of people) {
    await withdrawServices(context, { accountId, organizationId: part.organizationId, serviceIds })
    await storeEnd(context.db, rowIds, { now, ...(by && { by }) })
  }
}
