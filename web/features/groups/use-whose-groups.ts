import { useCan } from '#web/lib/session/can.tsx'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'

/** The organisation whose groups are shown: the one of the address, else the chosen one where the reader sees groups of it. */
export function useWhoseGroups(asked: string | undefined): string | undefined {
  const can = useCan()
  const { membership } = useCurrentOrganization()
  const organizationId = asked ?? membership?.organizationId
  return organizationId && can('listGroups', { organizationId }) ? organizationId : undefined
}
