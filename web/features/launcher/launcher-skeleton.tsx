import { useTranslation } from 'react-i18next'
import { ServiceGrid } from '#web/ui/service-card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'

const cards = ['a', 'b', 'c', 'd']

export function LauncherSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <ServiceGrid label={t('services')}>
        {cards.map((card) => (
          <li key={card}>
            <Skeleton shape="card" />
          </li>
        ))}
      </ServiceGrid>
    </SkeletonGroup>
  )
}
