import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invitations } from '#contract/invitations/invitations.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { waitText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface ResendInvitationProps {
  email: string
  organizationId: string
  onSent: () => void
}

/** Sends a new link. If the last mail is too recent, shows how long to wait. */
export function ResendInvitation({ email, organizationId, onSent }: ResendInvitationProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [wait, setWaitUntil] = useWait()
  const { mutate, isPending } = useSave(invitations.resend, { inline: true })
  const resend = () =>
    mutate(
      { input: { email, organizationId } },
      {
        onSuccess: () => {
          setWaitUntil(0)
          toasts.show({ tone: 'success', title: t('invitationSent'), content: email })
          onSent()
        },
        onError: (error) => {
          if (error instanceof ApiProblem && error.status === 429 && error.retryAfter)
            setWaitUntil(Date.now() + error.retryAfter * 1000)
          else toasts.show({ tone: 'danger', title: t('genericErrorMessage') })
        },
      },
    )
  return (
    <>
      <Button size="small" loading={isPending} onClick={resend}>
        {t('resendInvitation')}
      </Button>
      {wait > 0 && <span>{t('resendTooSoon', { when: waitText(wait, language) })}</span>}
    </>
  )
}

/** Seconds until a moment, rounded to whole minutes so that screen readers do not announce every second. */
function useWait() {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  useEffect(() => {
    setNow(Date.now())
    if (until <= Date.now()) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (until <= Date.now()) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  const left = now === 0 ? 0 : Math.max(0, until - now)
  return [Math.ceil(left / 60_000) * 60, setUntil] as const
}
