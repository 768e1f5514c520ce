import { useQuery } from '@tanstack/react-query'
import ScrollText from 'lucide-react/icons/scroll-text'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { directories, type ScimLogRow } from '#contract/scim/scim.ts'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { useOutcome } from './use-outcome.ts'

/** What the directory sent and what came of it. */
export function DirectoryLog({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const log = useQuery({
    ...freshQuery(directories.log, { params: { id: organizationId }, query: { page } }),
    refetchInterval: 15_000,
  })
  return (
    <>
      <h2>{t('scimLog')}</h2>
      <p>{t('scimLogText')}</p>
      <Card flush>
        <Loaded
          query={log}
          skeleton={<TableSkeleton label={t('loading')} columns={['text', 'text', 'long', 'badge']} />}
        >
          {({ items, totalCount, itemsPerPage }) =>
            totalCount === 0 ? (
              <EmptyState icon={ScrollText}>{t('scimLogEmpty')}</EmptyState>
            ) : (
              <>
                <LogTable organizationId={organizationId} rows={items} />
                <ListPages
                  list={t('scimLog')}
                  page={page}
                  totalCount={totalCount}
                  itemsPerPage={itemsPerPage}
                  settled={!log.isPlaceholderData}
                  onPage={setPage}
                />
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  )
}

function LogTable({ organizationId, rows }: { organizationId: string; rows: readonly ScimLogRow[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const outcome = useOutcome()
  const columns: Column<ScimLogRow>[] = [
    {
      key: 'about',
      header: t('scimLogAbout'),
      rowHeader: true,
      cell: ({ about, method }) => about ?? (method === 'GET' ? t('scimLogQuestion') : '–'),
    },
    { key: 'at', header: t('scimLogAt'), cell: ({ at }) => dateTimeText(at, language) },
    {
      key: 'from',
      header: t('scimLogFrom'),
      cell: ({ directory, method }) => (method === 'retry' ? t('scimLogRetried') : `${directory} · ${method}`),
    },
    {
      key: 'outcome',
      header: t('scimLogOutcome'),
      cell: (row) => (
        <>
          {row.status >= 400 && <Badge tone="danger">{String(row.status)}</Badge>}
          {outcome(row).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </>
      ),
    },
    {
      key: 'retry',
      header: t('actions'),
      buttons: true,
      cell: ({ retry, about }) =>
        retry && <Retry organizationId={organizationId} personId={retry} name={about ?? ''} />,
    },
  ]
  return <Table caption={t('scimLog')} columns={columns} rows={rows} rowKey={({ logId }) => logId} />
}

function Retry({ organizationId, personId, name }: { organizationId: string; personId: string; name: string }) {
  const { t } = useTranslation()
  const retry = useSave(directories.retry)
  return (
    <Button
      size="small"
      loading={retry.isPending}
      aria-label={t('scimRetryNamed', { name })}
      onClick={() => retry.mutate({ params: { id: organizationId, personId } })}
    >
      {t('tryAgain')}
    </Button>
  )
}
