import { useTranslation } from 'react-i18next'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

export function HistorySkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton count={6} />
    </SkeletonGroup>
  )
}
