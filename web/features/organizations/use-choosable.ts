import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Organization, organizations } from '#contract/organizations/organizations.ts'
import { type Service, services } from '#contract/services/services.ts'
import { freshQuery, query } from '#web/lib/requests/query.ts'
import type { Choosable } from './organization-draft.ts'

const readOrganization = (id: string) => freshQuery(organizations.read, { params: { id } })
const readServices = query(services.list, { query: { sort: 'name', sortDirection: 'asc' } })

function together(organization: Organization | undefined, offered: readonly Service[] | undefined) {
  const version = organization?.version
  // Only users who may not change the organisation get it without a version.
  return organization && version && offered ? { ...organization, version, offered } : undefined
}

/** Reads the organisation and every service that it could have, as one query. */
export function useChoosable(organizationId: string) {
  const organization = useQuery(readOrganization(organizationId))
  const offered = useQuery(readServices)
  const data = useMemo(() => together(organization.data, offered.data), [organization.data, offered.data])
  return {
    data,
    error: organization.error ?? offered.error,
    refetch: () => Promise.all([organization.refetch(), offered.refetch()]),
  }
}

/** Reads the current state from the server. */
export function useReload({ organizationId, offered }: Choosable) {
  const client = useQueryClient()
  return async (): Promise<Choosable> => {
    const present = await client.fetchQuery(readOrganization(organizationId))
    return { ...present, version: present.version ?? 1, offered }
  }
}
