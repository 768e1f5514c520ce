import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { Button } from '#web/ui/button.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Card, Toolbar } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type ColumnShape, TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { ListPages } from './list-pages.tsx'
import { ResultsAnnounced } from './results-announced.tsx'
import { useSearchText } from './use-search-text.ts'

interface SearchedListProps<Row> {
  /** What is listed: "Users in Nordvik AB". */
  list: string
  found: UseQueryResult<{ items: readonly Row[]; totalCount: number; itemsPerPage: number; hasMore?: boolean }, Error>
  searchLabel: string
  searchQuery: string
  onSearch: (text: string) => void
  /** Beside the search. */
  tools?: ReactNode
  /** Below both: filters, and which are in force. */
  filters?: ReactNode
  /** What the results were asked by, if not by the search alone: search and filters as one text. */
  asked?: string
  /** At the end of the card, also while the rows load or fail. */
  footer?: ReactNode
  /** Undefined when no filter is set. */
  onClearFilters?: (() => void) | undefined
  /** What an empty list says that nobody has searched. */
  emptyText: string
  emptyIcon: LucideIcon
  /** What it says when somebody has. */
  notFoundText: string
  /** The columns' shapes, until the rows are there. */
  columns: readonly ColumnShape[]
  page: number
  /** The address of a page, for a list that has one. */
  href?: ((page: number) => string) | undefined
  onPage: (page: number, options: { replace: boolean }) => void
  /** The table. */
  children: (rows: readonly Row[], busy: boolean) => ReactNode
}

/** Search, rows and pages. The search box stays while the rows load or fail. */
export function SearchedList<Row>(props: SearchedListProps<Row>) {
  const { list, found, searchLabel, searchQuery, onSearch, tools, filters, page, href, onPage, children } = props
  const { t } = useTranslation()
  const [text, search, searchNow] = useSearchText(searchQuery, onSearch)
  return (
    <Card flush>
      <Toolbar>
        <SearchInput
          label={searchLabel}
          clearLabel={t('clearSearch')}
          maxLength={200}
          value={text}
          onChange={search}
          onBlur={searchNow}
          // In a dialog the list stands in a form, which the search is no part of.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            searchNow()
          }}
        />
        {tools}
      </Toolbar>
      {filters}
      <ResultsAnnounced
        asked={props.asked ?? searchQuery}
        settled={found.isSuccess && !found.isPlaceholderData}
        text={t(found.data?.hasMore ? 'resultsFoundMore' : 'resultsFound', { count: found.data?.totalCount ?? 0 })}
      />
      <Loaded query={found} skeleton={<TableSkeleton label={t('loading')} columns={props.columns} />}>
        {({ items, totalCount, itemsPerPage, hasMore }) =>
          totalCount > 0 ? (
            <>
              {children(items, found.isFetching)}
              <ListPages
                list={list}
                page={page}
                totalCount={totalCount}
                moreAfter={hasMore ? items.length : undefined}
                itemsPerPage={itemsPerPage}
                settled={!found.isPlaceholderData}
                href={href}
                onPage={onPage}
              />
            </>
          ) : props.onClearFilters ? (
            <EmptyState icon={SearchX} action={<Button onClick={props.onClearFilters}>{t('clearFilters')}</Button>}>
              <span role="status">{props.notFoundText}</span>
            </EmptyState>
          ) : searchQuery ? (
            <EmptyState icon={SearchX} action={<Button onClick={() => search('')}>{t('clearSearch')}</Button>}>
              {props.notFoundText}
            </EmptyState>
          ) : (
            <EmptyState icon={props.emptyIcon}>{props.emptyText}</EmptyState>
          )
        }
      </Loaded>
      {props.footer}
    </Card>
  )
}
