import { useQuery } from '@tanstack/react-query'
import { type Group, groups } from '#contract/groups/groups.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'

/** The groups of an organisation; none where there is no organisation, or the reader does not manage them. */
export function useGroups(organizationId: string | undefined): readonly Pick<Group, 'groupId' | 'name'>[] {
  const can = useCan()
  const { data = [] } = useQuery({
    ...query(groups.names, { params: { organizationId: organizationId ?? '' } }),
    enabled: organizationId !== undefined && can('manageGroups', { organizationId }),
  })
  return data
}

/** The last days of a person in groups of an organisation, by hand. */
export function useEndsInGroups(userId: string, organizationId: string): readonly string[] {
  const inUse = useGroups(organizationId).length > 0
  const { data = [] } = useQuery({ ...query(groups.ofPerson, { params: { userId, organizationId } }), enabled: inUse })
  return data.flatMap(({ validUntil }) => validUntil ?? [])
}
