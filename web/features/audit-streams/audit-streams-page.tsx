import { useQuery } from '@tanstack/react-query'
import { createLink, Link, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import ScrollText from 'lucide-react/icons/scroll-text'
import { useTranslation } from 'react-i18next'
import { type AuditStream, auditStreamLabels, auditStreams } from '#contract/audit-streams/audit-streams.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { WholeList } from '#web/lib/lists/whole-list.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { StreamState } from './stream-state.tsx'

const ButtonTo = createLink(LinkButton)

/** Where audit events are sent; each endpoint opens in a dialog with its own address. */
export function AuditStreamsPage() {
  const { t } = useTranslation()
  const list = useQuery({ ...freshQuery(auditStreams.list), refetchInterval: 10_000 })
  return (
    <AdministrationPage
      action={
        <FormActions>
          <ButtonTo to="/audit-events" icon={ScrollText}>
            {t('auditEvents')}
          </ButtonTo>
          <ButtonTo to="/audit-streams/create" state={openedFromPage} variant="primary" icon={Plus}>
            {t('createAuditStream')}
          </ButtonTo>
        </FormActions>
      }
    >
      <Card flush>
        <WholeList list={list} emptyIcon={ScrollText} emptyText={t('noAuditStreams')}>
          {(rows) => <StreamsTable rows={rows} />}
        </WholeList>
      </Card>
      <Outlet />
    </AdministrationPage>
  )
}

function StreamsTable({ rows }: { rows: readonly AuditStream[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const number = new Intl.NumberFormat(language)
  const columns: Column<AuditStream>[] = [
    {
      key: 'url',
      header: t(auditStreamLabels.url),
      rowHeader: true,
      cell: ({ streamId, url }) => (
        <Link to="/audit-streams/$streamId" params={{ streamId }} state={openedFromPage}>
          {url.length > 80 ? `${url.slice(0, 80)}…` : url}
        </Link>
      ),
    },
    { key: 'state', header: t('streamState'), cell: (stream) => <StreamState stream={stream} /> },
    { key: 'waiting', header: t('streamWaiting'), cell: ({ waiting }) => number.format(waiting) },
    {
      key: 'last',
      header: t('streamLastDelivery'),
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt ? dateTimeText(lastDeliveredAt, language) : '–'),
    },
  ]
  return <Table caption={t('auditStreams')} columns={columns} rows={rows} rowKey={({ streamId }) => streamId} />
}
