import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { ErrorState } from '#web/ui/state.tsx'
import type { AroundServicesProps } from './around-services.tsx'
import styles from './section.module.css'

/** Has the height of two things to do. */
export function HomeSkeleton({ services }: { services: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <section className={styles.section}>
        <h2>{t('todoTitle')}</h2>
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="row" count={2} />
        </SkeletonGroup>
      </section>
      <section className={styles.section}>
        <h2>{t('services')}</h2>
        {services}
      </section>
      <section className={styles.section}>
        <h2>{t('figuresTitle')}</h2>
        <div className={styles.waiting} aria-hidden="true">
          <span className={styles.figure} />
          <span className={styles.figure} />
        </div>
      </section>
    </>
  )
}

/** The services alone, where the script of what stands around them could not be loaded, such as after an update. */
export function HomePartMissing({ services }: AroundServicesProps) {
  const { t } = useTranslation()
  return (
    <>
      <ErrorState action={<Button onClick={() => window.location.reload()}>{t('tryAgain')}</Button>}>
        {t('genericErrorMessage')}
      </ErrorState>
      {services}
    </>
  )
}
