import { useQuery } from '@tanstack/react-query'
import { type Group, groups } from '#contract/groups/groups.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'

/** The groups of an organisation; none where there is no organisation, or the reader does not manage them. */
export function useGroups(organizationId: string | undefined): readonly Group[] {
  const can = useCan()
  const { data = [] } = useQuery({
    ...query(groups.list, { params: { organizationId: organizationId ?? '' } }),
    enabled: organizationId !== undefined && can('manageGroups', { organizationId }),
  })
  return data
}
