import { createLink, Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { CameFrom } from '#web/lib/dialogs/dialog-route.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { LinkButton } from '#web/ui/button.tsx'

const BackButton = createLink(LinkButton)

type Home = CameFrom['to'] | '/my-organization'

const names: Record<Home, MessageKey> = {
  '/my-organization': 'ownOrganization',
  '/user-administration': 'userAdministration',
  '/organization-settings': 'organizations',
  '/users': 'users',
}

/**
 * Leads back to the list that the user came from. A user who opened the address directly goes to a list that shows the
 * invited users.
 */
export function WayBack({
  organizationId,
  button = false,
  home = '/user-administration',
}: {
  organizationId: string
  button?: boolean
  /** Where members come from who opened the address directly. */
  home?: Home
}) {
  const { t } = useTranslation()
  const { organizations = [] } = useSignedIn()
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom })
  const belongs = organizations.some((own) => own.organizationId === organizationId)
  const { to, search }: { to: Home; search: object } = cameFrom ?? {
    to: belongs ? home : '/organization-settings',
    search: {},
  }
  const Way = button ? BackButton : Link
  return (
    // Each list reads its own search parameters and ignores the others.
    <Way
      to={to}
      search={search}
      state={{
        ...((to === '/user-administration' || to === '/my-organization') && { inOrganization: organizationId }),
      }}
    >
      {t(names[to])}
    </Way>
  )
}
