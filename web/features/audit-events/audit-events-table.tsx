import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AuditEvent } from '#contract/audit-events/audit-events.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { nextOrder } from '#web/lib/lists/list-search.ts'
import { dateText, dateTimeText, longDayText, timeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { useSortLabels } from '#web/lib/texts/sort-labels.ts'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './audit-events.module.css'
import type { EventSort } from './audit-events-search.ts'
import { eventTextKey } from './event-names.ts'
import { NamedInLine } from './named.tsx'
import { useAbout } from './use-sentence.ts'

interface AuditEventsTableProps {
  rows: readonly AuditEvent[]
  sort: { key: EventSort; direction: 'asc' | 'desc' }
  onSort: (sort: EventSort, direction: 'asc' | 'desc') => void
  busy: boolean
}

export function AuditEventsTable({ rows, sort, onSort, busy }: AuditEventsTableProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const aboutOf = useAbout()
  const isByDay = sort.key === 'createdAt'
  const columns: Column<AuditEvent>[] = [
    {
      key: 'name',
      header: t('eventName'),
      sortable: true,
      rowHeader: true,
      cell: (event) => (
        <div className={styles.event}>
          <Link to="/audit-events/$id" params={{ id: event.id }} search={true} state={openedFromPage}>
            {t(eventTextKey(event.name))}
          </Link>
          <span className={styles.about} title={aboutOf(event)}>
            {aboutOf(event)}
          </span>
        </div>
      ),
    },
    {
      key: 'createdAt',
      header: t('eventTime'),
      sortable: true,
      unlabelled: true,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={dateTimeText(createdAt, language)} className={styles.time}>
          {isByDay ? timeText(createdAt, language) : dateText(createdAt, language)}
        </time>
      ),
    },
    {
      key: 'actor',
      header: t('eventActor'),
      sortable: true,
      cell: ({ actor, actorName }) => <NamedInLine label={actor} name={actorName} />,
    },
    {
      key: 'target',
      header: t('eventTarget'),
      sortable: true,
      // Somebody who signs in stands in the row already.
      cell: ({ actor, target, targetName }) => (
        <NamedInLine label={target === actor ? null : target} name={targetName} />
      ),
    },
  ]
  return (
    <Table
      caption={t('auditEvents')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      groupOf={isByDay ? ({ createdAt }) => longDayText(createdAt, language) : undefined}
      sort={sort}
      onSort={(key, direction) => {
        const next = nextOrder(sort, key, direction)
        onSort(next.sort as EventSort, next.sortDirection)
      }}
      sortLabels={useSortLabels()}
      busy={busy}
    />
  )
}
