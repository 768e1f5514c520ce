import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { services } from '#contract/services/services.ts'
import { query } from '#web/lib/requests/query.ts'

/** An organisation's list; undefined for that of all users. */
export type FilteredList = { organizationId: string } | undefined

/** The services to filter by: the organisation's, or all of them. */
export function useFilterServices(of: FilteredList, enabled = true): readonly { serviceId: string; name: string }[] {
  const offered = useQuery({
    ...query(organizations.services, { params: { id: of?.organizationId ?? '' } }),
    enabled: enabled && of !== undefined,
  })
  const all = useQuery({ ...query(services.list, { query: { sort: 'name' } }), enabled: enabled && of === undefined })
  return (of ? offered.data : all.data) ?? []
}
