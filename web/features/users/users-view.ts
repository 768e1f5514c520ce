import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { UsersSearch, UsersSort } from './users-search.ts'

/** What a list of people shows, and how it comes to show something else. */
export interface UsersView {
  /** What the call asks for. */
  query: { page: number; sort: UsersSort; sortDirection: 'asc' | 'desc'; searchQuery: string }
  /** Another search or order begins on the first page. */
  change: (to: Pick<UsersSearch, 'searchQuery' | 'sortField'> & { sortDirection?: 'asc' | 'desc' }) => void
  turnTo: (page: number, options: { replace: boolean }) => void
  /** Where a page has an address. */
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

/** Kept in the address of the page: Back leaves the list in one step, whatever was searched for in it. */
export function useAddressView(to: '/users' | '/user-administration'): UsersView {
  const search: UsersSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const at = (page: number) => ({ ...search, page: page > 1 ? page : undefined })
  return {
    query: queryOf(search),
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

/** Kept as long as the dialog is open that the list is in. */
export function useLocalView(): UsersView {
  const [search, setSearch] = useState<UsersSearch>({})
  return {
    query: queryOf(search),
    change: (change) => setSearch((present) => ({ ...present, ...plain(change), page: undefined })),
    turnTo: (page) => setSearch((present) => ({ ...present, page })),
  }
}

/** What is as usual needs no mention in an address. */
function plain({ sortDirection, ...rest }: Parameters<UsersView['change']>[0]): UsersSearch {
  return {
    ...rest,
    ...('searchQuery' in rest && { searchQuery: rest.searchQuery || undefined }),
    ...(rest.sortField && { sortField: rest.sortField === 'email' ? undefined : rest.sortField }),
    ...(sortDirection && { sortDirection: sortDirection === 'desc' ? sortDirection : undefined }),
  }
}
