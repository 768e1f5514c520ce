import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSignedIn } from './signed-in.tsx'

/** What an organisation is called, once it is known: one of the reader's own, or for super users any. */
export function useOrganizationName(organizationId: string): string {
  const { organizations: own = [] } = useSignedIn()
  const name = own.find((one) => one.organizationId === organizationId)?.name
  const asked = useQuery({
    ...query(organizations.read, { params: { id: organizationId } }),
    enabled: name === undefined,
  })
  return name ?? asked.data?.name ?? ''
}
