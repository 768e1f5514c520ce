import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import type { Membership } from '#contract/session/session.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { OrganizationUsers } from './organization-users.tsx'
import { ServiceUsers } from './service-users.tsx'

const page = getRouteApi('/user-administration')
const everybody = 'all'

interface Service {
  serviceId: string
  name: string
}

/**
 * A tab with all users for admins of the organisation, and one for each service that the signed-in user can hand out.
 */
export function ColleagueTabs({ organization }: { organization: Membership }) {
  const { t } = useTranslation()
  const can = useCan()
  const { organizationId } = organization
  const { adminServices } = useSignedIn()
  const administers = can('readPeople', { organizationId })
  const offered = useQuery({
    ...query(organizations.services, { params: { id: organizationId } }),
    enabled: administers,
  })
  if (!administers)
    return (
      <ServiceTabs
        organization={organization}
        services={adminServices.filter((own) => own.organizationId === organizationId)}
      />
    )
  return (
    <Loaded
      query={offered}
      skeleton={
        <div>
          <Skeleton shape="control" width="half" />
          <Card flush>
            <TableSkeleton label={t('loading')} columns={['text', 'text', 'long', 'badge', 'badge']} />
          </Card>
        </div>
      }
    >
      {(services) => <ServiceTabs organization={organization} services={services} all />}
    </Loaded>
  )
}

interface ServiceTabsProps {
  organization: Membership
  services: readonly Service[]
  all?: boolean
}

function ServiceTabs({ organization, services, all = false }: ServiceTabsProps) {
  const { t } = useTranslation()
  const { tab } = page.useSearch()
  const navigate = page.useNavigate()
  const values = [...(all ? [everybody] : []), ...services.map(({ serviceId }) => serviceId)]
  const [first = everybody] = values
  const chosen = values.find((value) => value === tab) ?? first
  const tabs: Tab[] = [
    ...(all
      ? [{ value: everybody, label: t('allUsers'), panel: <OrganizationUsers organization={organization} /> }]
      : []),
    ...services.map(({ serviceId, name }) => ({
      value: serviceId,
      label: name,
      panel: <ServiceUsers organization={organization} service={{ serviceId, name }} />,
    })),
  ]
  // Nothing to choose from.
  if (all && services.length === 0) return <OrganizationUsers organization={organization} />
  return (
    <div>
      <Tabs
        label={t('userAdministration')}
        // Each list runs its own query, so only the selected tab is mounted.
        tabs={tabs.map((one) => ({ ...one, panel: one.value === chosen && one.panel }))}
        value={chosen}
        onChange={(next) =>
          void navigate({
            search: (present) => ({ ...present, page: undefined, tab: next === first ? undefined : next }),
            replace: true,
          })
        }
      />
    </div>
  )
}
