import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserFilters } from '#contract/users/user-filters.ts'
import { givenFilters, type UsersSearch, type UsersSort } from '../users-search.ts'

/** The state of a list of users: page, order, search and filters. */
export interface UsersView {
  /** The query parameters of the request. */
  query: { page: number; sort: UsersSort; sortDirection: 'asc' | 'desc'; searchQuery: string }
  /** The filters that are set; further query parameters of the request. */
  filters: UserFilters
  /** Changes the search, the order or filters, and goes to the first page. */
  change: (
    to: Pick<UsersSearch, 'searchQuery' | 'sortField'> & UserFilters & { sortDirection?: 'asc' | 'desc' },
  ) => void
  turnTo: (page: number, options: { replace: boolean }) => void
  /** The link to a page, when the state is kept in the address. */
  href?: (page: number) => string
}

const queryOf = ({
  page = 1,
  sortField = 'email',
  sortDirection,
  searchQuery = '',
}: UsersSearch): UsersView['query'] => ({
  page,
  sort: sortField,
  sortDirection: sortDirection ?? 'asc',
  searchQuery,
})

/**
 * Keeps the state in the address of the page. It replaces the history entry, so that Back leaves the list in one step.
 */
export function useAddressView(to: '/users' | '/user-administration'): UsersView {
  const search: UsersSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const at = (page: number) => ({ ...search, page: page > 1 ? page : undefined })
  return {
    query: queryOf(search),
    filters: givenFilters(search),
    change: (change) =>
      void navigate({
        to: '.',
        search: (present) => ({ ...present, ...plain(change), page: undefined }),
        replace: true,
      }),
    turnTo: (page, { replace }) => void navigate({ to: '.', search: at(page), replace }),
    href: (page) => router.buildLocation({ to, search: at(page) }).href,
  }
}

/** Keeps the state while the dialog that contains the list is open. */
export function useLocalView(): UsersView {
  const [search, setSearch] = useState<UsersSearch>({})
  return {
    query: queryOf(search),
    filters: givenFilters(search),
    change: (change) => setSearch((present) => ({ ...present, ...plain(change), page: undefined })),
    turnTo: (page) => setSearch((present) => ({ ...present, page })),
  }
}

/** Leaves out defaults, to keep the address short. */
function plain({ sortDirection, ...rest }: Parameters<UsersView['change']>[0]): UsersSearch {
  return {
    ...rest,
    ...('searchQuery' in rest && { searchQuery: rest.searchQuery || undefined }),
    ...(rest.sortField && { sortField: rest.sortField === 'email' ? undefined : rest.sortField }),
    ...(sortDirection && { sortDirection: sortDirection === 'desc' ? sortDirection : undefined }),
  }
}
