import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import styles from './password-step.module.css'

/** Covers the form until the sign-in method is known. */
export function FindingCover() {
  const { t } = usePublicPage()
  return (
    <div className={styles.cover}>
      <SkeletonGroup label={t('findingSignIn')}>
        <Skeleton width="short" />
        <Skeleton shape="control" />
        <Skeleton width="short" />
        <Skeleton shape="control" />
        <Skeleton shape="control" />
        <Skeleton shape="control" />
      </SkeletonGroup>
    </div>
  )
}
