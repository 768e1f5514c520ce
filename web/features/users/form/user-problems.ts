import type { Issue } from '#contract/problem.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { type DayName, dayKey, keyOf } from './belongings.ts'

/** The lists that were sent: the server refers to entries by index, the form by id. */
interface Sent {
  organizations?: readonly { organizationId: string }[]
  services?: readonly { organizationId: string; serviceId: string }[]
  /** The only organisation that was sent, whose days stand beside the lists. */
  place?: { organizationId: string }
}

const fieldOfConflict: Record<string, string> = {
  emailTaken: 'email',
  superUserNotSaml: 'loginMethod',
  superUserHasAll: 'portalRole',
}

/** Moves the errors of the server to the fields of the dialog. */
export function atTheirFields(error: unknown, { organizations = [], services = [], place }: Sent): unknown {
  if (!(error instanceof ApiProblem)) return error
  const field = fieldOfConflict[error.message]
  if (field) return withIssues(error, [{ path: field, message: error.message }])
  const issues = error.issues.map((issue) => {
    const [group, index, name] = issue.path.split('.')
    const at =
      group === 'organizations' ? organizations[Number(index)] : group === 'services' ? services[Number(index)] : place
    const day = isDay(place && index === undefined ? group : name)
    if (at && day) return { ...issue, path: `days.${dayKey(day, at)}` }
    const organization = group === 'organizations' && organizations[Number(index)]
    if (organization) return { ...issue, path: `roles.${organization.organizationId}` }
    const service = group === 'services' && services[Number(index)]
    return service ? { ...issue, path: `services.${keyOf(service)}` } : issue
  })
  return withIssues(error, issues)
}

const isDay = (name: string | undefined): DayName | undefined =>
  (['validFrom', 'validUntil', 'roleFrom', 'roleUntil'] as const).find((one) => one === name)

export const withIssues = (error: ApiProblem, issues: readonly Issue[]) =>
  new ApiProblem(error.status, error.message, { issues, requestId: error.requestId })
