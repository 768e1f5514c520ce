import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emailTemplateLabels } from '#contract/email-templates/email-templates.ts'
import { type FailedMessage, type QueueState, system } from '#contract/system/system.ts'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './system.module.css'

const PageLink = createLink(LinkButton)

/** What could not be sent in the last 30 days, to be sent again. Of invitations it is known elsewhere who they were for. */
export function FailedMessages({ queues }: { queues: readonly QueueState[] }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const list = useQuery(freshQuery(system.failedMessages, { query: { page } }))
  return (
    <Loaded
      query={list}
      skeleton={<TableSkeleton label={t('loading')} columns={['long', 'text', 'long', 'badge']} rows={2} />}
    >
      {({ items, totalCount, itemsPerPage }) =>
        totalCount > 0 ? (
          <>
            <Messages rows={items} busy={list.isFetching} />
            <ListPages
              list={t('failedMessages')}
              page={page}
              totalCount={totalCount}
              itemsPerPage={itemsPerPage}
              settled={!list.isPlaceholderData}
              onPage={setPage}
            />
          </>
        ) : (
          <EmptyState
            slim
            icon={CircleCheck}
            action={
              queues.some(({ name, failed }) => name === 'mail' && failed > 0) && (
                <PageLink to="/users" search={{ status: 'inviteFailed' }} size="small">
                  {t('failedInvitations')}
                </PageLink>
              )
            }
          >
            {t('failedMessagesNone')}
          </EmptyState>
        )
      }
    </Loaded>
  )
}

const labels: Readonly<Record<string, (typeof emailTemplateLabels)[keyof typeof emailTemplateLabels]>> =
  emailTemplateLabels

function Messages({ rows, busy }: { rows: readonly FailedMessage[]; busy: boolean }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const resend = useSave(system.resend)
  const send = ({ messageId, recipient }: FailedMessage) =>
    resend.mutate(
      { params: { id: messageId } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('messageResent', { recipient }) })
          // Its button goes with the row.
          document.querySelector<HTMLElement>('#failedMessages h2')?.focus()
        },
      },
    )
  const columns: Column<FailedMessage>[] = [
    {
      key: 'recipient',
      header: t('messageRecipient'),
      rowHeader: true,
      cell: ({ recipient }) => <span className={styles.reason}>{recipient}</span>,
    },
    {
      key: 'what',
      header: t('messageWhat'),
      cell: ({ kind, template }) => {
        const label = labels[template]
        return (
          <span className={styles.badges}>
            {t(kind === 'mail' ? 'queueMail' : 'queueSms')}: {label ? t(label) : <code lang="en">{template}</code>}
          </span>
        )
      },
    },
    {
      key: 'reason',
      header: t('messageReason'),
      cell: ({ reason }) => (
        <span className={styles.reason} lang="en">
          {reason ?? '–'}
        </span>
      ),
    },
    { key: 'failedAt', header: t('messageFailedAt'), cell: ({ failedAt }) => dateTimeText(failedAt, language) },
    {
      key: 'actions',
      header: t('actions'),
      buttons: true,
      cell: (message) => (
        <Button
          size="small"
          disabled={resend.isPending}
          aria-label={t('messageResendTo', message)}
          onClick={() => send(message)}
        >
          {t('messageResend')}
        </Button>
      ),
    },
  ]
  return (
    <Table
      caption={t('failedMessages')}
      columns={columns}
      rows={rows}
      rowKey={({ messageId }) => messageId}
      busy={busy}
    />
  )
}
