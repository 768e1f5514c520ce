import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { invitations } from '#contract/invitations/invitations.ts'
import { launcher } from '#contract/launcher/launcher.ts'
import type { ShownBrand } from '#contract/session/session.ts'
import { AskedReviews } from '#web/features/access-reviews/access-reviews.tsx'
import { Home } from '#web/features/home/home.tsx'
import { OfferPasskey } from '#web/features/passkeys/passkeys.ts'
import { Loaded, LoadingFailure } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { useTheme } from '#web/lib/theme.ts'
import { BrandLogo } from '#web/ui/frame/brand-logo.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import styles from './launcher.module.css'
import { LauncherSkeleton } from './launcher-skeleton.tsx'
import { NoServices } from './no-services.tsx'
import { Notices } from './notices.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { useOwnRoleNames } from './own-role-names.ts'
import { ServiceList } from './service-list.tsx'

export function LauncherPage() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { membership } = useCurrentOrganization()
  const roles = useOwnRoleNames(membership)
  const invited = useQuery(query(invitations.mine))
  return (
    <>
      <PageHeading
        title={me.firstName ? t('greetingName', { name: me.firstName }) : t('greeting')}
        subtitle={[membership?.name, ...roles].filter(Boolean).join(' · ') || undefined}
        action={membership?.brand?.logo && <OrganizationLogo name={membership.name} brand={membership.brand} />}
      />
      <Notices />
      <AskedReviews />
      <OwnInvitations list={invited.data ?? []} />
      <Home>
        {(waiting) => (
          <Services invited={invited.data && invited.data.length > 0} waiting={waiting || invited.isPending} />
        )}
      </Home>
      <Suspense>
        <OfferPasskey />
      </Suspense>
    </>
  )
}

function OrganizationLogo({ name, brand: { logo, darkLogo } }: { name: string; brand: ShownBrand }) {
  const theme = useTheme()
  return (
    logo && (
      <div className={styles.logo}>
        <BrandLogo
          name={name}
          logo={logo}
          darkLogo={darkLogo}
          plate={darkLogo ? '' : 'yes'}
          theme={theme === 'system' ? undefined : theme}
        />
      </div>
    )
  )
}

interface ServicesProps {
  /** There are invitations to answer, so do not show that there are no services. */
  invited: boolean | undefined
  /** Wait for what stands above: it would push the services down. */
  waiting: boolean
}

function Services(props: ServicesProps) {
  const { me, organizations, heldBack, failure } = useSignedIn()
  const { id } = useCurrentOrganization()
  if (failure) return <LoadingFailure {...failure} />
  if (id) return <OrganizationServices key={id} accountId={me.accountId} organizationId={id} {...props} />
  if (!organizations || props.waiting) return <LauncherSkeleton />
  // Every organisation of this person asks for a stronger sign-in.
  const [held] = heldBack
  if (held) return <Navigate to="/enter/$organizationId" params={held} replace />
  return props.invited ? null : <NoServices />
}

interface OrganizationServicesProps extends ServicesProps {
  accountId: string
  organizationId: string
}

function OrganizationServices({ invited, waiting, ...params }: OrganizationServicesProps) {
  const services = useQuery(query(launcher.services, { params }))
  const requestable = useQuery(query(launcher.requestable, { params: { id: params.organizationId } }))
  // Both come with the start; where that failed, what may be requested must not push anything down.
  const wait = waiting || requestable.isLoading
  return (
    <Loaded query={wait ? { ...services, data: undefined } : services} skeleton={<LauncherSkeleton />}>
      {(list) => (
        <>
          {list.length === 0 && !invited && <NoServices />}
          <ServiceList services={list} requestable={requestable.data ?? []} {...params} />
        </>
      )}
    </Loaded>
  )
}
