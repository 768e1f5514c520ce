import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from './client.module.css'
import { useServiceWithClient } from './read-service.ts'
import { ServiceSignIn } from './service-sign-in.tsx'

const route = getRouteApi('/services/$serviceId/sign-in')

/** How people sign in to a service: its state, its settings, what its developers need, and a trial. */
export function ServiceSignInPage() {
  const { t } = useTranslation()
  const { serviceId } = route.useParams()
  const question = useServiceWithClient(serviceId)
  const name = question.data?.service.name
  return (
    <AdministrationPage
      heading={name && t('signInToService', { name })}
      trail={[
        <Link key="list" to="/services">
          {t('services')}
        </Link>,
        name && (
          <Link key="service" to="/services/$serviceId" params={{ serviceId }}>
            {name}
          </Link>
        ),
      ]}
    >
      <div className={styles.page}>
        <Loaded
          query={question}
          skeleton={
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="control" count={6} />
            </SkeletonGroup>
          }
        >
          {(both) => <ServiceSignIn key={serviceId} {...both} />}
        </Loaded>
      </div>
    </AdministrationPage>
  )
}
