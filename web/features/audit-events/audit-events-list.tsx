import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import ScrollText from 'lucide-react/icons/scroll-text'
import SearchX from 'lucide-react/icons/search-x'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditEvent, auditEvents } from '#contract/audit-events/audit-events.ts'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { ResultsAnnounced } from '#web/lib/lists/results-announced.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { AuditEventFilters, periodTexts } from './audit-event-filters.tsx'
import styles from './audit-events.module.css'
import { type AuditEventsSearch, noFilters, type Period, toEventQuery } from './audit-events-search.ts'
import { AuditEventsTable } from './audit-events-table.tsx'
import { labelText } from './erased.ts'
import { OlderInFiles } from './older-in-files.tsx'

const route = getRouteApi('/audit-events')
const wholeLog = { period: 'all' as Period, from: undefined, until: undefined }

/** The events that match the search parameters. */
export function AuditEventsList() {
  const { t } = useTranslation()
  const router = useRouter()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { page = 1, sort = 'createdAt', sortDirection = 'desc', ...filters } = search
  const asked = JSON.stringify(filters)
  // Computed once per choice: a start that moves with the clock would send a new query on every render.
  const conditions = useMemo(() => toEventQuery(JSON.parse(asked), new Date()), [asked])
  const found = useQuery(query(auditEvents.list, { query: { page, sort, sortDirection, ...conditions } }))
  const at = (to: number) => ({ ...search, page: to > 1 ? to : undefined })
  const change = (changed: AuditEventsSearch) =>
    void navigate({ search: (present) => ({ ...present, ...changed, page: undefined }), replace: true })
  const clear = () => change(noFilters)
  const { period, ...others } = filters
  const isWhole = period === 'all'
  const isFiltered = Object.values(others).some(Boolean) || !(isWhole || period === undefined)
  return (
    <Card flush>
      <AuditEventFilters search={filters} onChange={change} onClear={isFiltered ? clear : undefined} />
      <Chips filters={filters} events={found.data?.items} onChange={change} />
      <ResultsAnnounced
        asked={asked}
        settled={found.isSuccess && !found.isPlaceholderData}
        text={t(found.data?.hasMore ? 'resultsFoundMore' : 'resultsFound', { count: found.data?.totalCount ?? 0 })}
      />
      <Loaded
        query={found}
        skeleton={<TableSkeleton label={t('loading')} columns={['long', 'text', 'long', 'long']} />}
      >
        {({ items, totalCount, itemsPerPage, hasMore, coldMonths }) => (
          <>
            {totalCount > 0 ? (
              <>
                <AuditEventsTable
                  rows={items}
                  sort={{ key: sort, direction: sortDirection }}
                  onSort={(next, direction) =>
                    change({
                      sort: next === 'createdAt' ? undefined : next,
                      sortDirection: direction === 'asc' ? 'asc' : undefined,
                    })
                  }
                  busy={found.isFetching}
                />
                <ListPages
                  list={t('auditEvents')}
                  page={page}
                  totalCount={totalCount}
                  moreAfter={hasMore ? items.length : undefined}
                  itemsPerPage={itemsPerPage}
                  settled={!found.isPlaceholderData}
                  href={(to) => router.buildLocation({ to: '/audit-events', search: at(to) }).href}
                  onPage={(to, { replace }) => void navigate({ search: at(to), replace })}
                />
              </>
            ) : isFiltered || !isWhole ? (
              <EmptyState
                icon={SearchX}
                action={
                  isWhole ? (
                    <Button onClick={clear}>{t('clearFilters')}</Button>
                  ) : (
                    <Button onClick={() => change(wholeLog)}>{t('searchWholeLog')}</Button>
                  )
                }
              >
                {t('noEventsFound')}
              </EmptyState>
            ) : (
              <EmptyState icon={ScrollText}>{t('noEventsYet')}</EmptyState>
            )}
            {coldMonths && <OlderInFiles months={coldMonths} />}
          </>
        )}
      </Loaded>
    </Card>
  )
}

interface ChipsProps {
  filters: AuditEventsSearch
  events: readonly AuditEvent[] | undefined
  onChange: (changed: AuditEventsSearch) => void
}

/** The period, unless its days are chosen or it is the whole log; and the one thing that the events are about, if they are. */
function Chips({ filters: { period, targetIdFilter }, events, onChange }: ChipsProps) {
  const { t } = useTranslation()
  const hasPeriod = period !== 'all' && period !== 'custom'
  const periodText = t(periodTexts[period ?? 'quarter'])
  if (!hasPeriod && !targetIdFilter) return null
  return (
    <div className={styles.chips}>
      {hasPeriod && (
        <Chip removeLabel={t('removeFilter', { filter: periodText })} onRemove={() => onChange(wholeLog)}>
          {periodText}
        </Chip>
      )}
      {targetIdFilter && <AboutOne events={events} onRemove={() => onChange({ targetIdFilter: undefined })} />}
    </div>
  )
}

/** Says that only events of one thing are shown, by the name that it has in the newest of them. */
function AboutOne({ events, onRemove }: { events: readonly AuditEvent[] | undefined; onRemove: () => void }) {
  const { t } = useTranslation()
  const [event] = events ?? []
  const name = event?.targetName ?? labelText(t, event?.target ?? null)
  const text = name ? t('eventsAboutOne', { name }) : t('eventsAboutOneUnnamed')
  return (
    <Chip removeLabel={t('removeFilter', { filter: text })} onRemove={onRemove}>
      {text}
    </Chip>
  )
}
