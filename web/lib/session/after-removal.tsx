import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { profile } from '#contract/profile/profile.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { SignOutOthers } from './sign-out-others.tsx'

/** Once a factor is removed: offers to sign out the devices that may have signed in with it, if there are any. */
export function AfterRemoval({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const sessions = useQuery(freshQuery(profile.sessions))
  const hasOthers = sessions.data?.some(({ current }) => !current) ?? false
  return <SignOutOthers open={hasOthers} text={t('signOutAfterRemoval')} onClose={onClose} />
}
