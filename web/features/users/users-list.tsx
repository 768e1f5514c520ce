import type { UseQueryResult } from '@tanstack/react-query'
import SearchX from 'lucide-react/icons/search-x'
import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#contract/route.ts'
import type { users } from '#contract/users.ts'
import { ListPages } from '#web/lib/list-pages.tsx'
import { Loaded } from '#web/lib/loaded.tsx'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Toolbar } from '#web/ui/page.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { UsersTable, type UsersTableProps } from './users-table.tsx'
import type { UsersView } from './users-view.ts'

interface UsersListProps extends Omit<UsersTableProps, 'rows' | 'busy'> {
  view: UsersView
  found: UseQueryResult<AnswerOf<typeof users.list>, Error>
  searchLabel: string
  /** What an empty list says that nobody has searched. */
  nobodyYet: string
  /** Beside the search. */
  tools?: ReactNode
}

/** Search, rows and pages of people. The search box stays whatever becomes of the rows. */
export function UsersList({ view, found, searchLabel, nobodyYet, tools, ...table }: UsersListProps) {
  const { t } = useTranslation()
  const { searchQuery } = view
  const [text, search, searchNow] = useSearchText(searchQuery, (next) => view.change({ searchQuery: next }))
  return (
    <>
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
      <Loaded
        query={found}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="row" count={10} />
          </SkeletonGroup>
        }
      >
        {({ items, totalCount, itemsPerPage }) =>
          totalCount > 0 ? (
            <>
              <UsersTable {...table} view={view} rows={items} busy={found.isFetching} />
              <ListPages
                list={table.caption}
                page={view.page}
                totalCount={totalCount}
                itemsPerPage={itemsPerPage}
                settled={!found.isPlaceholderData}
                href={view.href}
                onPage={view.turnTo}
              />
            </>
          ) : searchQuery ? (
            <EmptyState icon={SearchX} action={<Button onClick={() => search('')}>{t('clearSearch')}</Button>}>
              <span role="status">{t('noUsersFound', { searchQuery })}</span>
            </EmptyState>
          ) : (
            <EmptyState icon={Users}>{nobodyYet}</EmptyState>
          )
        }
      </Loaded>
    </>
  )
}
