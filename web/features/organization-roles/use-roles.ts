import { useQuery } from '@tanstack/react-query'
import { type GivableRole, organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import { query } from '#web/lib/requests/query.ts'

/** The roles of an organisation beside the admin role; none where there is no organisation. */
export function useRoles(organizationId: string | undefined): readonly GivableRole[] {
  const { data = [] } = useQuery({
    ...query(organizationRoles.list, { params: { organizationId: organizationId ?? '' } }),
    enabled: organizationId !== undefined,
  })
  return data
}
