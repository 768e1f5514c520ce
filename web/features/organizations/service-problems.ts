import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import type { Choosable, OrganizationValues } from './organization-draft.ts'

const fieldOf = (serviceId: string) => `services.${serviceId}.seats`

/** Services that the draft removes although users have them. */
export const removedInUse = ({ services }: OrganizationValues, organization: Choosable) =>
  organization.services.filter(({ serviceId, seatsUsed = 0 }) => seatsUsed > 0 && !services[serviceId]?.chosen)

/** Errors for limits below the seats in use, each at its field. */
export function seatsInUse({ services }: OrganizationValues, organization: Choosable): ApiProblem | undefined {
  const issues = organization.services
    .filter(({ serviceId, seatsUsed = 0 }) => {
      const own = services[serviceId]
      return own?.chosen && own.seats !== null && own.seats < seatsUsed
    })
    .map(({ serviceId }) => ({ path: fieldOf(serviceId), message: 'seatsInUse' }))
  return issues.length > 0 ? new ApiProblem(409, 'seatsInUse', { issues }) : undefined
}

/** The server refers to services by index, the form by id. */
export function atTheirFields(error: ApiProblem, sent: readonly { serviceId: string }[] = []): ApiProblem {
  const issues = error.issues.map((issue) => {
    const [group, index] = issue.path.split('.')
    const service = group === 'services' ? sent[Number(index)] : undefined
    return service ? { ...issue, path: fieldOf(service.serviceId) } : issue
  })
  return new ApiProblem(error.status, error.message, { issues, requestId: error.requestId })
}
