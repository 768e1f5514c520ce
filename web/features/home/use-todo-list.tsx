import type { LucideIcon } from 'lucide-react'
import Armchair from 'lucide-react/icons/armchair'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import FileBadge from 'lucide-react/icons/file-badge'
import Hand from 'lucide-react/icons/hand'
import Hourglass from 'lucide-react/icons/hourglass'
import KeyRound from 'lucide-react/icons/key-round'
import MailWarning from 'lucide-react/icons/mail-warning'
import MailX from 'lucide-react/icons/mail-x'
import MessageSquareX from 'lucide-react/icons/message-square-x'
import UserRoundMinus from 'lucide-react/icons/user-round-minus'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { emailTemplateLabels } from '#contract/email-templates/email-templates.ts'
import { maxCounted } from '#contract/fields/fields.ts'
import type { Todos } from '#contract/home/home.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { ComingPassive } from './coming-passive.tsx'

interface To {
  to: string
  params?: Record<string, string>
  search?: Record<string, string>
  /** The part of the page. */
  hash?: string
}

export interface Todo {
  key: string
  icon: LucideIcon
  tone: 'warn' | 'danger'
  text: string
  hint?: string | undefined
  /** The page where the task is done. */
  link?: To | undefined
  /** Unfolds below, where there is no list to go to. */
  content?: ReactNode
}

/** What needs doing as a list, the urgent things first. */
export function useTodoList(todos: Todos, organizationId: string | undefined): Todo[] {
  const { t } = useTranslation()
  const language = useLanguage()
  const wholePortal = organizationId === undefined
  const people = (search: Record<string, string>): To => ({
    to: wholePortal ? '/users' : '/user-administration',
    search,
  })
  const counted = (key: string, count: number, todo: () => Omit<Todo, 'key'>) => (count > 0 ? [{ key, ...todo() }] : [])
  const { accessRequests, failedInvitations, waitingInvitations, comingPassiveUsers, failedMessages, nearlyFull } =
    todos
  const more = todos.nearlyFullCount - nearlyFull.length
  return [
    ...todos.endingCertificates.map(({ id, name, validTo }): Todo => {
      const ended = new Date(validTo) < new Date()
      const values = { name, date: dayText(validTo, language, 'full') }
      return {
        key: `certificate-${id}`,
        icon: FileBadge,
        tone: ended ? 'danger' : 'warn',
        text: ended ? t('todoCertificateEnded', values) : t('todoCertificateEnds', values),
        hint: t('todoCertificateHint'),
        link: { to: '/saml-configuration/$samlConfigId', params: { samlConfigId: String(id) } },
      }
    }),
    ...counted('setups', todos.setupsToApprove, () => ({
      icon: KeyRound,
      tone: 'warn',
      text: t('todoSetups', { count: todos.setupsToApprove }),
      hint: t('todoSetupsHint'),
      link: { to: '/saml-configuration' },
    })),
    ...counted('metadata', todos.metadataToConfirm, () => ({
      icon: FileBadge,
      tone: 'warn',
      text: t('todoMetadata', { count: todos.metadataToConfirm }),
      link: { to: '/saml-configuration' },
    })),
    ...counted('access-requests', accessRequests, () => ({
      icon: Hand,
      tone: 'warn',
      text: t('todoAccessRequests', { count: accessRequests }),
      link: { to: '/access-requests' },
    })),
    ...counted('access-review', todos.accessReviewRows, () => ({
      icon: ClipboardCheck,
      tone: 'warn',
      text: t('todoAccessReview', { count: todos.accessReviewRows }),
      link: { to: '/access-review' },
    })),
    ...counted('overdue-reviews', todos.overdueAccessReviews, () => ({
      icon: ClipboardCheck,
      tone: 'danger',
      text: t('todoOverdueReviews', { count: todos.overdueAccessReviews }),
      hint: t('todoOverdueReviewsHint'),
      link: { to: '/access-reviews', search: { overdue: 'true' } },
    })),
    ...counted('failed-invitations', failedInvitations, () => ({
      icon: MailX,
      tone: 'danger',
      text: t('todoFailedInvitations', { count: failedInvitations }),
      hint: t('todoFailedInvitationsHint'),
      link: people({ status: 'inviteFailed' }),
    })),
    ...counted('failed-messages', failedMessages, () => ({
      icon: MessageSquareX,
      tone: 'danger',
      text: t('todoFailedMessages', { count: failedMessages }),
      hint: t('todoFailedMessagesResend'),
      link: { to: '/system', hash: 'failedMessages' },
    })),
    ...todos.brokenTemplates.map(
      ({ type, channel, language: written, organizationId: owner, organizationName }): Todo => {
        const parts = [t(emailTemplateLabels[type]), channel === 'sms' && 'SMS', written, organizationName]
        return {
          key: `template-${type}-${channel}-${written}-${owner}`,
          icon: MailWarning,
          tone: 'danger',
          text: t('todoBrokenTemplate', { name: parts.filter(Boolean).join(', ') }),
          hint: t('todoBrokenTemplateHint'),
          link: {
            to: '/email-templates',
            search: {
              ...{ type, language: written, edit: 'true' },
              ...(channel === 'sms' && { view: 'sms' }),
              ...(owner && { organizationId: owner }),
            },
          },
        }
      },
    ),
    ...nearlyFull.map(({ name, serviceId, seatsUsed: used, maxNumberOfUsers: seats, ...at }): Todo => {
      const seatsUsed = t('seatsUsedOf', { used, seats })
      return {
        key: `seats-${at.organizationId}-${serviceId}`,
        icon: Armchair,
        tone: used >= seats ? 'danger' : 'warn',
        text: used >= seats ? t('todoFull', { name }) : t('todoNearlyFull', { name }),
        hint: wholePortal ? `${at.organizationName} · ${seatsUsed}` : seatsUsed,
        link: wholePortal
          ? { to: '/organization-settings/$organizationId', params: { organizationId: at.organizationId } }
          : { to: '/user-administration', search: { tab: serviceId } },
      }
    }),
    ...counted('more-seats', more, () => ({
      icon: Armchair,
      tone: 'warn',
      text: t('todoMoreNearlyFull', { count: more }),
      link: wholePortal ? { to: '/organization-settings' } : undefined,
    })),
    ...counted('waiting-invitations', waitingInvitations, () => ({
      icon: Hourglass,
      tone: 'warn',
      text: t('todoWaitingInvitations', { count: waitingInvitations }),
      hint: t('todoWaitingInvitationsHint'),
      link: people({ status: 'inviteWaits' }),
    })),
    ...counted('ending-access', todos.endingAccess, () => ({
      icon: CalendarClock,
      tone: 'warn',
      text: t('todoEndingAccess', { count: todos.endingAccess }),
      hint: t('todoEndingAccessHint'),
      link: people({ status: 'accessEnds' }),
    })),
    ...counted('coming-passive', comingPassiveUsers, () => ({
      icon: UserRoundMinus,
      tone: 'warn',
      text:
        comingPassiveUsers > maxCounted
          ? t('todoComingPassiveMany', { total: maxCounted })
          : t('todoComingPassive', { count: comingPassiveUsers }),
      hint: t('todoComingPassiveHint'),
      content: <ComingPassive organizationId={organizationId} count={comingPassiveUsers} />,
    })),
  ]
}
