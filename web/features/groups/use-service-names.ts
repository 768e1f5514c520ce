import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/lib/requests/query.ts'

/** The name of a service of an organisation, once it is known. */
export function useServiceNames(organizationId: string): (service: { serviceId: string }) => string {
  const { data = [] } = useQuery(query(organizations.services, { params: { id: organizationId } }))
  const names = new Map(data.map(({ serviceId, name }) => [serviceId, name]))
  return ({ serviceId }) => names.get(serviceId) ?? '…'
}
