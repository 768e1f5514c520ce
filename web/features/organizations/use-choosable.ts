import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Organization, organizations } from '#contract/organizations.ts'
import { type Service, services } from '#contract/services.ts'
import { query } from '#web/lib/query.ts'
import type { Choosable } from './organization-draft.ts'

// Whoever opens it to change it wants to see it as it is now.
const readOrganization = (id: string) => ({ ...query(organizations.read, { params: { id } }), staleTime: 0 })
const readServices = query(services.list, { query: { sort: 'name', sortDirection: 'asc' } })

function together(organization: Organization | undefined, offered: readonly Service[] | undefined) {
  const version = organization?.version
  // Only somebody who may not change it sees it without its version.
  return organization && version && offered ? { ...organization, version, offered } : undefined
}

/** The organisation and every service that it could have, as one question. */
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

/** Asks the server for the present state. */
export function useReload({ organizationId, offered }: Choosable) {
  const client = useQueryClient()
  return async (): Promise<Choosable> => {
    const present = await client.fetchQuery(readOrganization(organizationId))
    return { ...present, version: present.version ?? 1, offered }
  }
}
