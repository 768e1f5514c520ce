import { useTranslation } from 'react-i18next'
import type { UserStatusName } from '#contract/users/user-filters.ts'

/** The values of the filters as people call them. */
export function useFilterTexts() {
  const { t } = useTranslation()
  const statuses: Record<UserStatusName, string> = {
    active: t('statusActive'),
    pending: t('pending'),
    inviteFailed: t('inviteFailed'),
    inviteWaits: t('inviteWaits'),
    awaitsSignIn: t('awaitsSignIn'),
    passive: t('passive'),
    emailRefused: t('emailRefused'),
    accessEnds: t('accessEnds'),
    accessEnded: t('accessEnded'),
  }
  const roles = {
    superUser: t('superUser'),
    portalAuditor: t('portalAuditor'),
    portalReader: t('portalReader'),
    organizationAdmin: t('organizationAdmin'),
    serviceAdmin: t('roleServiceAdmin'),
  }
  return { statuses, roles }
}
