import type { TFunction } from 'i18next'
import type { InvitationDelivery } from '#contract/invitations.ts'
import type { Language } from '#contract/roles.ts'
import { dateTimeText } from '#web/lib/dates.ts'
import type { AlertTone } from '#web/ui/alert.tsx'

interface Notice {
  tone: AlertTone
  title: string
  text: string
}

interface Told {
  /** Null where the person was never invited to this organisation, or no longer is. */
  delivery: InvitationDelivery | null
  email: string
  t: TFunction
  language: Language
}

/** How far an invitation has come, in words for whoever sent it. */
export function deliveryNotice({ delivery: state, email, t, language }: Told): Notice {
  if (!state) return { tone: 'info', title: t('invitationMissing'), text: t('invitationMissingText') }
  const { accepted, delivery, reason } = state
  const expires = dateTimeText(state.expiresAt, language)
  const why = reason === null ? '' : ` ${t('invitationReason', { reason: inWords(reason, t) })}`
  if (accepted) return { tone: 'info', title: t('invitationAccepted'), text: t('invitationAwaitsSignIn') }
  if (delivery === 'failed')
    return { tone: 'danger', title: t('invitationFailed'), text: `${t('invitationFailedText', { email })}${why}` }
  if (delivery === 'dropped')
    return { tone: 'danger', title: t('invitationDropped'), text: `${t('invitationDroppedText')}${why}` }
  if (Date.parse(state.expiresAt) <= Date.now())
    return { tone: 'warn', title: t('invitationExpired'), text: t('invitationExpiredText', { expires }) }
  if (delivery !== 'queued') {
    const sent = dateTimeText(state.sentAt, language)
    return { tone: 'info', title: t('invitationSent'), text: t('invitationSentText', { sent, expires }) }
  }
  return reason === null
    ? { tone: 'info', title: t('invitationQueued'), text: t('invitationQueuedText', { email }) }
    : { tone: 'warn', title: t('invitationDelayed'), text: `${t('invitationDelayedText', { email })}${why}` }
}

/** What the portal met at the mail server, as people say it; what else there may be, as it stands. */
function inWords(reason: string, t: TFunction): string {
  const [, command, code = ''] = /^SMTP (?:(.+) )?([45][0-9]{2}|E[A-Z]+)$/.exec(reason) ?? []
  if (code.startsWith('E')) return t('reasonMailServerAway', { code })
  if (code.startsWith('4')) return t('reasonMailLater', { code })
  return command === 'RCPT TO' ? t('reasonMailboxRefused', { code }) : reason
}
