import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { launcher } from '#contract/launcher/launcher.ts'
import { launchPath } from '#web/lib/launch-path.ts'
import type { PaletteCommand } from '#web/lib/palette/palette-command.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'

/** The launcher's services. Those that cannot be had are missing: the launcher says why. */
export function useOwnServices(): PaletteCommand[] {
  const { accountId } = useSignedIn().me
  const { id: organizationId } = useCurrentOrganization()
  const params = { accountId, organizationId: organizationId ?? '' }
  const { data = [] } = useQuery({ ...query(launcher.services, { params }), enabled: organizationId !== undefined })
  return data.map(({ serviceId, name, url }) => ({
    id: `service ${serviceId}`,
    label: name,
    hint: URL.canParse(url) ? new URL(url).host : url,
    icon: ExternalLink,
    run: () => location.assign(launchPath(serviceId, organizationId)),
  }))
}
