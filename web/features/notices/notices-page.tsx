import { useQuery } from '@tanstack/react-query'
import { createLink, Link, Outlet } from '@tanstack/react-router'
import Megaphone from 'lucide-react/icons/megaphone'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { type Notice, noticeLabels, notices } from '#contract/notices/notices.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { WholeList } from '#web/lib/lists/whole-list.tsx'
import { query } from '#web/lib/requests/query.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'

const CreateLink = createLink(LinkButton)

/** What people read above their services; each notice opens in a dialog with its own address. */
export function NoticesPage() {
  const { t } = useTranslation()
  const list = useQuery(query(notices.list))
  return (
    <AdministrationPage
      action={
        <CreateLink to="/notices/create" state={openedFromPage} variant="primary" icon={Plus}>
          {t('createNotice')}
        </CreateLink>
      }
    >
      <Card flush>
        <WholeList list={list} emptyIcon={Megaphone} emptyText={t('noNotices')}>
          {(rows, busy) => <NoticesTable rows={rows} busy={busy} />}
        </WholeList>
      </Card>
      <Outlet />
    </AdministrationPage>
  )
}

function NoticesTable({ rows, busy }: { rows: readonly Notice[]; busy: boolean }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const columns: Column<Notice>[] = [
    {
      key: 'message',
      header: t(noticeLabels.message),
      rowHeader: true,
      cell: ({ noticeId, message }) => (
        <Link to="/notices/$noticeId" params={{ noticeId }} state={openedFromPage}>
          {message.length > 100 ? `${message.slice(0, 100)}…` : message}
        </Link>
      ),
    },
    {
      key: 'organization',
      header: t(noticeLabels.organizationId),
      cell: ({ organizationName }) => organizationName ?? t('noticeForAll'),
    },
    { key: 'startsOn', header: t(noticeLabels.startsOn), cell: ({ startsOn }) => dayText(startsOn, language, 'full') },
    {
      key: 'endsOn',
      header: t(noticeLabels.endsOn),
      cell: ({ endsOn }) => (endsOn ? dayText(endsOn, language, 'full') : '–'),
    },
  ]
  return <Table caption={t('notices')} columns={columns} rows={rows} rowKey={({ noticeId }) => noticeId} busy={busy} />
}
