import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type OwnSession, profile } from '#contract/profile/profile.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from '#web/ui/things.module.css'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** One session: its device, its times, and a button to sign it out unless it is the current one. */
export function OwnSessionRow({ session, headingId }: { session: OwnSession; headingId: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const device = useDeviceName(session)
  const times = useId()
  const { mutate, isPending } = useSave(profile.endSession)
  const signOut = () =>
    mutate(
      { params: { id: session.id } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('deviceSignedOut'), content: device })
          document.getElementById(headingId)?.focus()
        },
      },
    )
  return (
    <li className={styles.row}>
      <Icon of={session.handheld ? Smartphone : Monitor} size={20} />
      <div className={styles.about}>
        <p className={styles.name}>
          {device} {session.current && <Badge tone="accent">{t('thisDevice')}</Badge>}
        </p>
        <p id={times} className={styles.facts}>
          <span>{t('signedInAt', { moment: dateTimeText(session.signedInAt, language) })}</span>
          <span>{t('lastUsedAt', { moment: dateTimeText(session.lastUsedAt, language) })}</span>
        </p>
      </div>
      {!session.current && (
        <Button
          size="small"
          loading={isPending}
          aria-label={t('signOutDevice', { device })}
          // The times distinguish two devices with the same name.
          aria-describedby={times}
          onClick={signOut}
        >
          {t('signOut')}
        </Button>
      )}
    </li>
  )
}

function useDeviceName({ browser, system }: OwnSession): string {
  const { t } = useTranslation()
  return browser && system ? t('deviceName', { browser, system }) : (browser ?? system ?? t('unknownDevice'))
}
