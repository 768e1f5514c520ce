import type { TFunction } from 'i18next'
import type { InvitationDelivery } from '#contract/invitations/invitations.ts'
import type { Language } from '#contract/roles.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import type { AlertTone } from '#web/ui/alert.tsx'

interface Notice {
  tone: AlertTone
  title: string
  text: string
}

interface NoticeInput {
  delivery: InvitationDelivery
  email: string
  t: TFunction
  language: Language
}

/** Explains the delivery status of an invitation to the admin who sent it. */
export function deliveryNotice({ delivery: state, email, t, language }: NoticeInput): Notice {
  const { sentAt, expiresAt, delivery, reason } = state
  if (!sentAt || !expiresAt) return { tone: 'info', title: t('invitationAccepted'), text: t('invitationAwaitsSignIn') }
  const expires = dateTimeText(expiresAt, language)
  const why = reason === null ? '' : ` ${t('invitationReason', { reason: reasonText(reason, t) })}`
  if (delivery === 'failed')
    return { tone: 'danger', title: t('invitationFailed'), text: `${t('invitationFailedText', { email })}${why}` }
  if (delivery === 'dropped')
    return { tone: 'danger', title: t('invitationDropped'), text: `${t('invitationDroppedText')}${why}` }
  if (Date.parse(expiresAt) <= Date.now())
    return { tone: 'warn', title: t('invitationExpired'), text: t('invitationExpiredText', { expires }) }
  if (delivery !== 'queued') {
    const sent = dateTimeText(sentAt, language)
    return { tone: 'info', title: t('invitationSent'), text: t('invitationSentText', { sent, expires }) }
  }
  return reason === null
    ? { tone: 'info', title: t('invitationQueued'), text: t('invitationQueuedText', { email }) }
    : { tone: 'warn', title: t('invitationDelayed'), text: `${t('invitationDelayedText', { email })}${why}` }
}

/** Translates a known SMTP error; any other reason is shown unchanged. */
function reasonText(reason: string, t: TFunction): string {
  const [, command, code = ''] = /^SMTP (?:(.+) )?([45][0-9]{2}|E[A-Z]+)$/.exec(reason) ?? []
  if (code.startsWith('E')) return t('reasonMailServerAway', { code })
  if (code.startsWith('4')) return t('reasonMailLater', { code })
  return command === 'RCPT TO' ? t('reasonMailboxRefused', { code }) : reason
}
