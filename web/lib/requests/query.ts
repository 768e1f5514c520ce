import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#contract/route.ts'
import { type AnyRoute, call, type RequestArguments, type RequestOf } from './api.ts'

const minute = 60_000
/** How long an answer counts as fresh, in milliseconds, where it is not five minutes. */
const staleTimes: Record<string, number> = {
  '/api/audit-events': 0,
  '/api/audit-events/{id}': 0,
  '/api/home': minute,
  '/api/invites/mine': minute,
  '/api/invites/{email}/user/{organizationId}/organization': minute,
  '/api/organizations/{id}/home': minute,
}

/** A call as TanStack Query wants it: `useQuery(query(services.list, {query: {sort: 'name'}}))`. */
export function query<R extends AnyRoute>(route: R, ...request: RequestArguments<R>) {
  const { params, query: search } = (request[0] ?? {}) as RequestOf<R>
  return queryOptions<AnswerOf<R>, Error, AnswerOf<R>, QueryKey>({
    queryKey: [route.url, params ?? null, search ?? null],
    queryFn: ({ signal }) => call(route, ...([{ ...request[0], signal }] as RequestArguments<R>)),
    staleTime: staleTimes[route.url] ?? 5 * minute,
    // The rows of the last page stay while the next one loads, but never those of another organisation.
    placeholderData: (previous, asked) =>
      search && sameThing(asked?.queryKey[1], params) ? keepPreviousData(previous) : undefined,
  })
}

/** The same, fetched again each time: for a dialog that changes what it shows. */
export const freshQuery = <R extends AnyRoute>(route: R, ...request: RequestArguments<R>) => ({
  ...query(route, ...request),
  staleTime: 0,
})

const sameThing = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
