import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { brands } from '#contract/brands/brands.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Can, useCan } from '#web/lib/session/can.tsx'
import { WayBack } from '#web/lib/way-back.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { Card, FormGrid, PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { BrandFields } from './brand-fields.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { SignInAddresses } from './sign-in-addresses.tsx'
import { SignInHostFields } from './sign-in-host-fields.tsx'

const page = getRouteApi('/organization-brand/$organizationId')

/** Hue and logos of an organisation, and the addresses that show them before anybody has signed in. */
export function BrandPage() {
  const { t } = useTranslation()
  const { organizationId } = page.useParams()
  const changes = useCan()('manageSettings', { organizationId })
  const brand = useQuery(freshQuery(brands.read, { params: { id: organizationId } }))
  return (
    <>
      <PageHeading
        title={t('organizationBrand')}
        subtitle={t('organizationBrandText')}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <WayBack home="/my-organization" organizationId={organizationId} />
            <span aria-current="page">{t('organizationBrand')}</span>
          </Breadcrumb>
        }
      />
      <Loaded query={brand} skeleton={<BrandSkeleton />}>
        {(loaded) => (
          <>
            <Card narrow>
              {changes ? (
                <BrandFields key={organizationId} brand={loaded} />
              ) : (
                <FormGrid>
                  <h2>{loaded.name}</h2>
                  <BrandPreview {...loaded} />
                </FormGrid>
              )}
            </Card>
            <Card narrow>
              <FormGrid>
                <SignInAddresses brand={loaded} />
                <Can do="manageOrganizations">
                  <SignInHostFields key={organizationId} brand={loaded} />
                </Can>
              </FormGrid>
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}

function BrandSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={20} />
    </SkeletonGroup>
  )
}
