import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { launcher } from '#contract/launcher.ts'
import { Loaded, LoadingFailure } from '#web/lib/loaded.tsx'
import { query } from '#web/lib/query.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/signed-in.tsx'
import { PageHeading } from '#web/ui/page.tsx'
import { LauncherSkeleton } from './launcher-skeleton.tsx'
import { NoServices } from './no-services.tsx'
import { ServiceList } from './service-list.tsx'

export function LauncherPage() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { membership } = useCurrentOrganization()
  return (
    <>
      <PageHeading
        title={me.firstName ? t('greetingName', { name: me.firstName }) : t('greeting')}
        subtitle={membership?.name}
      />
      <Services />
    </>
  )
}

function Services() {
  const { me, organizations, failure } = useSignedIn()
  const { id } = useCurrentOrganization()
  if (failure) return <LoadingFailure {...failure} />
  if (id) return <OrganizationServices key={id} accountId={me.accountId} organizationId={id} />
  return organizations ? <NoServices /> : <LauncherSkeleton />
}

function OrganizationServices(params: { accountId: string; organizationId: string }) {
  const services = useQuery(query(launcher.services, { params }))
  return (
    <Loaded query={services} skeleton={<LauncherSkeleton />}>
      {(list) => (list.length > 0 ? <ServiceList services={list} /> : <NoServices />)}
    </Loaded>
  )
}
