import { type ListSearch, listSearch } from '#web/lib/list-search.ts'

const sorts = ['email', 'firstName', 'lastName'] as const
export type UsersSort = (typeof sorts)[number]

/** The search parameters of every list, but the specification calls the order `sortField`. */
export interface UsersSearch extends Omit<ListSearch<UsersSort>, 'sort'> {
  sortField?: UsersSort | undefined
}

/** The search parameters of a list of users. */
export function usersSearch(search: Record<string, unknown>): UsersSearch {
  const { sort, ...rest } = listSearch(sorts)({ ...search, sort: search.sortField })
  return { ...rest, sortField: sort }
}

/** The same, with the selected tab: the id of a service; without it, all users of the organisation. */
export function userAdministrationSearch(search: Record<string, unknown>): UsersSearch & { tab?: string | undefined } {
  const tab = String(search.tab)
  return { ...usersSearch(search), tab: /^[0-9a-f-]{36}$/.test(tab) ? tab : undefined }
}
