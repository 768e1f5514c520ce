import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { NoAccess } from '#web/lib/session/no-access.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { WayBack } from '#web/lib/way-back.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { ImportPeople } from './import-people.tsx'

const route = getRouteApi('/user-administration/import/$organizationId')

/** Invites many users at once to the organisation in the address. */
export function ImportPage() {
  const { t } = useTranslation()
  const { organizationId } = route.useParams()
  const can = useCan()
  const { settled } = useSignedIn()
  const allowed = can('invitePeople', { organizationId })
  const organization = useQuery({
    ...query(organizations.read, { params: { id: organizationId } }),
    enabled: allowed,
  })
  if (!allowed) return settled ? <NoAccess /> : null
  return (
    <>
      <PageHeading
        title={t('inviteMany')}
        beside={organization.data && <Badge>{organization.data.name}</Badge>}
        subtitle={t('importIntro')}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <WayBack organizationId={organizationId} />
            <span aria-current="page">{t('inviteMany')}</span>
          </Breadcrumb>
        }
      />
      <Loaded
        query={organization}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="card" />
          </SkeletonGroup>
        }
      >
        {(found) => <ImportPeople key={organizationId} organization={found} />}
      </Loaded>
    </>
  )
}
