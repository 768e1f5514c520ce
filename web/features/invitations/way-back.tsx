import { createLink, Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { CameFrom } from '#web/lib/dialog-route.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { LinkButton } from '#web/ui/button.tsx'

const BackButton = createLink(LinkButton)

const names: Record<CameFrom['to'], MessageKey> = {
  '/user-administration': 'userAdministration',
  '/organization-settings': 'organizations',
  '/users': 'users',
}

/** To the list that this person came from, as it was. Who came by the address goes where these people can be seen. */
export function WayBack({ organizationId, button = false }: { organizationId: string; button?: boolean }) {
  const { t } = useTranslation()
  const { organizations = [] } = useSignedIn()
  const cameFrom = useLocation({ select: ({ state }) => state.cameFrom })
  const belongs = organizations.some((own) => own.organizationId === organizationId)
  const { to, search } = cameFrom ?? { to: belongs ? '/user-administration' : '/organization-settings', search: {} }
  const Way = button ? BackButton : Link
  return (
    // Each list reads its own search, and leaves out what it does not know.
    <Way to={to} search={search} state={{ ...(to === '/user-administration' && { inOrganization: organizationId }) }}>
      {t(names[to])}
    </Way>
  )
}
