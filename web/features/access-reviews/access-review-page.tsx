import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCan } from '#web/lib/session/can.tsx'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import { Review } from './review.tsx'

const own = getRouteApi('/access-review')
const one = getRouteApi('/access-reviews/$organizationId')

/** The review of the chosen organisation, for those who may read it. */
export function OwnReviewPage() {
  const { t } = useTranslation()
  const can = useCan()
  const { membership } = useCurrentOrganization()
  const search = own.useSearch()
  const navigate = own.useNavigate()
  if (!membership || !can('readReviews', membership))
    return <PageHeading title={t('accessReview')} subtitle={membership && t('reviewOtherOrganization')} />
  const { organizationId } = membership
  return (
    <Review
      key={organizationId}
      organizationId={organizationId}
      search={search}
      onSearch={(next, options) => void navigate({ search: next, ...options })}
    />
  )
}

/** The review of any organisation, for its reviewers: the server says who they are. */
export function OrganizationReviewPage() {
  const { t } = useTranslation()
  const can = useCan()
  const { organizationId } = one.useParams()
  const search = one.useSearch()
  const navigate = one.useNavigate()
  return (
    <Review
      key={organizationId}
      organizationId={organizationId}
      search={search}
      onSearch={(next, options) => void navigate({ search: next, ...options })}
      breadcrumb={
        can('listAccessReviews') && (
          <Breadcrumb label={t('breadcrumb')}>
            <Link to="/access-reviews">{t('accessReviews')}</Link>
            <span aria-current="page">{t('accessReview')}</span>
          </Breadcrumb>
        )
      }
    />
  )
}
