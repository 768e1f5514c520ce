import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import { useTranslation } from 'react-i18next'
import { portal } from '#contract/portal/portal.ts'
import { homeQuery, useHomeScope } from '#web/features/home/home.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

const PageLink = createLink(LinkButton)

/** No services yet: shows the user whom to contact, and those who administer what to do. */
export function NoServices() {
  const { t } = useTranslation()
  const scope = useHomeScope()
  if (!scope) return <Contact>{t('noServices')}</Contact>
  if (scope.organizationId !== undefined) return <NoServicesOfAdmin organizationId={scope.organizationId} />
  return (
    <EmptyState slim icon={LayoutGrid} action={<PageLink to="/services">{t('toServices')}</PageLink>}>
      {t('noServicesSuperUser')}
    </EmptyState>
  )
}

/** An admin gives access to services; only we can add them to the organisation. */
function NoServicesOfAdmin({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const { membership } = useCurrentOrganization()
  const { data } = useQuery(homeQuery(organizationId))
  if (data?.figures.seats.length === 0)
    return <Contact slim>{t('noServicesInOrganization', { name: membership?.name })}</Contact>
  return (
    <EmptyState
      slim
      icon={LayoutGrid}
      action={<PageLink to="/user-administration">{t('toUserAdministration')}</PageLink>}
    >
      {t('noServicesAdmin')}
    </EmptyState>
  )
}

function Contact({ slim, children }: { slim?: boolean; children: string }) {
  const { data } = useQuery(query(portal.info))
  return (
    <EmptyState
      slim={slim}
      icon={LayoutGrid}
      action={data && <LinkButton href={`mailto:${data.supportEmail}`}>{data.supportEmail}</LinkButton>}
    >
      {children}
    </EmptyState>
  )
}
