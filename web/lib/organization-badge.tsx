import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Badge } from '#web/ui/badge.tsx'

/** Beside a page's title: the organisation that the page is about. It has its height before its name is known. */
export function OrganizationBadge({ organizationId }: { organizationId: string }) {
  const can = useCan()
  const own = useSignedIn().organizations?.find((one) => one.organizationId === organizationId)
  const asks = !own && can('readOrganization', { organizationId })
  const found = useQuery({ ...query(organizations.read, { params: { id: organizationId } }), enabled: asks })
  if (!own && (!asks || found.isError)) return null
  return <Badge>{own?.name ?? found.data?.name ?? '\u00A0'}</Badge>
}
