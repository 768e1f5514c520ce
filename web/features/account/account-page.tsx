import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { OwnFactors } from '#web/features/factors/factors.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import styles from './account.module.css'
import { AccountTab } from './account-tab.tsx'
import { PasswordTab } from './password-tab.tsx'

const page = getRouteApi('/account')

/** The account settings. A user who must change the password sees only the password form. */
export function AccountPage() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { tab = 'account' } = page.useSearch()
  const navigate = page.useNavigate()
  const isHeldUp = me.passwordMustChange || me.mustEnrol
  const wasHeldUp = useRef(isHeldUp)
  useEffect(() => {
    // The user was redirected here to do that first: continue to the launcher.
    if (wasHeldUp.current && !isHeldUp) void navigate({ to: '/', ignoreBlocker: true })
    wasHeldUp.current = isHeldUp
  }, [isHeldUp, navigate])
  if (me.mustEnrol)
    return (
      <div className={styles.narrow}>
        <PageHeading title={t('secondFactorRequired')} />
        <OwnFactors />
      </div>
    )
  if (me.passwordMustChange)
    return (
      <div className={styles.narrow}>
        <PageHeading title={t('passwordMustChangeTitle')} />
        <PasswordTab />
      </div>
    )
  return (
    <div className={styles.page}>
      <PageHeading title={t('accountSettings')} />
      <div>
        <Tabs
          label={t('accountSettings')}
          value={tab}
          tabs={[
            { value: 'account', label: t('account'), panel: <AccountTab /> },
            { value: 'password', label: t('password'), panel: <OwnPassword /> },
          ]}
          // Both panels stay mounted, so a change of tab loses no unsaved changes and needs no question.
          onChange={(next) =>
            void navigate({
              search: next === 'password' ? { tab: 'password' } : {},
              replace: true,
              ignoreBlocker: true,
            })
          }
        />
      </div>
    </div>
  )
}

const OwnPassword = () => (
  <div className={styles.narrow}>
    <PasswordTab />
  </div>
)
