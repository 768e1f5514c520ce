import type { UseQueryResult } from '@tanstack/react-query'
import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#contract/route.ts'
import type { users } from '#contract/users.ts'
import { SearchedList } from '#web/lib/searched-list.tsx'
import { UsersTable, type UsersTableProps } from './users-table.tsx'

interface UsersListProps extends Omit<UsersTableProps, 'rows' | 'busy'> {
  found: UseQueryResult<AnswerOf<typeof users.list>, Error>
  searchLabel: string
  /** The text for an empty list when there is no search. */
  textIfEmpty: string
  /** Shown beside the search field. */
  tools?: ReactNode
}

/** A searchable list of users. */
export function UsersList({ found, searchLabel, textIfEmpty, tools, ...table }: UsersListProps) {
  const { t } = useTranslation()
  const { caption, view } = table
  const { page, searchQuery } = view.query
  return (
    <SearchedList
      list={caption}
      found={found}
      searchLabel={searchLabel}
      searchQuery={searchQuery}
      onSearch={(next) => view.change({ searchQuery: next })}
      tools={tools}
      emptyIcon={Users}
      emptyText={textIfEmpty}
      notFoundText={t('noUsersFound', { searchQuery })}
      columns={['text', 'text', 'long', 'badge', 'badge']}
      page={page}
      href={view.href}
      onPage={view.turnTo}
    >
      {(rows, busy) => <UsersTable {...table} rows={rows} busy={busy} />}
    </SearchedList>
  )
}
