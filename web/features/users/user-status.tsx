import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Clock from 'lucide-react/icons/clock'
import MailQuestion from 'lucide-react/icons/mail-question-mark'
import MailX from 'lucide-react/icons/mail-x'
import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldUser from 'lucide-react/icons/shield-user'
import { useTranslation } from 'react-i18next'
import { portalRoleLabels } from '#contract/portal-roles.ts'
import { endingSoonDays } from '#contract/users/user-filters.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { dayText, todayInSweden } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import styles from './users.module.css'

type Described = Pick<
  UserSummary,
  'pending' | 'awaitsSignIn' | 'passive' | 'emailProven' | 'emailRefusedAt' | 'superUser' | 'portalRole'
> &
  Partial<Pick<UserSummary, 'organizations' | 'endsOn'>>

const isAdmin = ({ organizations = [] }: Described) =>
  organizations.some(({ userRole }) => userRole === 'organizationAdmin')

/** True if the user has a badge. */
export const hasStatus = (user: Described) =>
  user.pending ||
  user.awaitsSignIn ||
  user.passive ||
  user.emailProven === false ||
  user.emailRefusedAt !== null ||
  user.superUser ||
  user.portalRole !== null ||
  Boolean(user.endsOn) ||
  isAdmin(user)

/** Badges for pending and passive users, who works for the operator and, in lists, organisation admins. */
export function UserStatus({ user }: { user: Described }) {
  const { t } = useTranslation()
  return (
    <span className={styles.status}>
      {(user.pending || user.awaitsSignIn) && (
        <Badge tone="warn" icon={Clock}>
          {t(user.awaitsSignIn ? 'awaitsSignIn' : 'pending')}
        </Badge>
      )}
      {user.passive && (
        <Badge tone="danger" icon={CircleAlert}>
          {t('passive')}
        </Badge>
      )}
      {user.emailRefusedAt && (
        <Badge tone="danger" icon={MailX}>
          {t('emailRefused')}
        </Badge>
      )}
      {user.emailProven === false && (
        <Badge tone="warn" icon={MailQuestion}>
          {t('addressUnproven')}
        </Badge>
      )}
      {user.endsOn && <Ends on={user.endsOn} />}
      {isAdmin(user) && (
        <Badge tone="accent" icon={ShieldUser}>
          {t('roleOrganizationAdmin')}
        </Badge>
      )}
      {user.portalRole && (
        <Badge tone="accent" icon={ShieldCheck}>
          {t(portalRoleLabels[user.portalRole])}
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

/** The first last day of what a person has: over, soon, or later. */
function Ends({ on }: { on: string }) {
  const { t } = useTranslation()
  const day = dayText(on, useLanguage(), 'full')
  const days = (Date.parse(on) - Date.parse(todayInSweden())) / 86_400_000
  if (days < 0) return <Badge tone="danger">{t('endedOn', { day })}</Badge>
  return <Badge tone={days <= endingSoonDays ? 'warn' : undefined}>{t('endsOn', { day })}</Badge>
}
