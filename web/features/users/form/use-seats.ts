import { useQueryClient } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { keyOf } from './belongings.ts'
import { withIssues } from './user-problems.ts'

type HandedOut = { organizationId: string; serviceId: string }

/**
 * Another admin took the last seat. The answer does not name the service, so compare the seats in use.
 *
 * @returns the same problem at the fields of the full services, or of all added ones if the seats cannot be read
 */
export function useSeats() {
  const client = useQueryClient()
  const fullIn = async (organizationId: string) => {
    const asked = { ...query(organizations.services, { params: { id: organizationId } }), staleTime: 0 }
    const offered = await client.fetchQuery(asked).catch(() => [])
    return offered
      .filter(({ maxNumberOfUsers, seatsUsed = 0 }) => maxNumberOfUsers && seatsUsed >= maxNumberOfUsers)
      .map(({ serviceId }) => keyOf({ organizationId, serviceId }))
  }
  return async (error: unknown, added: readonly HandedOut[]): Promise<unknown> => {
    if (!(error instanceof ApiProblem && error.message === 'noSeatsLeft')) return error
    const asked = [...new Set(added.map(({ organizationId }) => organizationId))]
    const full = new Set((await Promise.all(asked.map(fullIn))).flat())
    const keys = added.map(keyOf)
    const named = keys.filter((key) => full.has(key))
    return withIssues(
      error,
      (named.length > 0 ? named : keys).map((key) => ({ path: `services.${key}`, message: error.message })),
    )
  }
}
