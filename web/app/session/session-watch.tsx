import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { signOut } from '#web/lib/requests/sign-out.tsx'
import { messageText } from '#web/lib/texts/i18n.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { useSessionClock } from './session-clock.ts'
import { useActivity } from './use-activity.ts'

const loadDialog = () => import('#web/ui/session-dialog.tsx')
const SessionDialog = lazy(() => loadDialog().then((module) => ({ default: module.SessionDialog })))

const warnBelow = 60
const sayAgainAt = 20

/** Warns in the session's last minute and lengthens it when somebody wants that, or works on. */
export function SessionWatch() {
  const { t } = useTranslation()
  const { deadline, check, refresh } = useSessionClock()
  const left = useSecondsLeft(deadline)
  const warning = left !== undefined && left < warnBelow
  const [staying, setStaying] = useState(false)
  useActivity(
    useCallback(() => void refresh(), [refresh]),
    { paused: warning },
  )

  // The dialog must be there when the network is not: it is fetched while there is time, and until it is had.
  useEffect(() => {
    const fetchIt = () => {
      loadDialog().catch(() => {
        timer = setTimeout(fetchIt, 5000)
      })
    }
    let timer = setTimeout(fetchIt, 5000)
    return () => clearTimeout(timer)
  }, [])
  // Another tab may have lengthened it in the last moment, so the server has the last word.
  useEffect(() => {
    if (left === 0) void check()
  }, [left, check])

  if (!warning) return null
  const stay = async () => {
    setStaying(true)
    const lengthened = await refresh()
    setStaying(false)
    if (!lengthened) toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') })
  }
  return (
    <Suspense>
      <SessionDialog
        open
        title={t('sessionEndsTitle')}
        countdown={`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}
        text={t('sessionEndsText')}
        announcement={
          left > sayAgainAt ? t('sessionEndsInOneMinute') : t('sessionEndsInSeconds', { seconds: sayAgainAt })
        }
        stayLabel={t('staySignedIn')}
        signOutLabel={t('signOut')}
        loading={staying}
        onStay={() => void stay()}
        onSignOut={signOut}
      />
    </Suspense>
  )
}

/** Whole seconds until then, counted down each second in the last minute and left alone before. */
function useSecondsLeft(deadline: number | undefined) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (deadline === undefined) return
    setNow(Date.now())
    const tick = () => {
      setNow(Date.now())
      if (Date.now() < deadline) timer = setTimeout(tick, 1000)
    }
    let timer = setTimeout(tick, Math.max(0, deadline - Date.now() - warnBelow * 1000))
    return () => clearTimeout(timer)
  }, [deadline])
  return deadline === undefined ? undefined : Math.max(0, Math.ceil((deadline - now) / 1000))
}
