import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Clock from 'lucide-react/icons/clock'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useTranslation } from 'react-i18next'
import type { UserSummary } from '#contract/user-summary.ts'
import { Badge } from '#web/ui/badge.tsx'
import styles from './users.module.css'

/** Badges for pending, passive and super users. */
export function UserStatus({
  user,
}: {
  user: Pick<UserSummary, 'pending' | 'awaitsSignIn' | 'passive' | 'superUser'>
}) {
  const { t } = useTranslation()
  return (
    <span className={styles.status}>
      {user.pending && (
        <Badge tone="warn" icon={Clock}>
          {t(user.awaitsSignIn ? 'awaitsSignIn' : 'pending')}
        </Badge>
      )}
      {user.passive && (
        <Badge tone="danger" icon={CircleAlert}>
          {t('passive')}
        </Badge>
      )}
      {user.superUser && (
        <Badge tone="accent" icon={ShieldCheck}>
          {t('superUser')}
        </Badge>
      )}
    </span>
  )
}
