import { type ListSearch, listSearch } from '#web/lib/list-search.ts'

const sorts = ['email', 'firstName', 'lastName'] as const
export type UsersSort = (typeof sorts)[number]

/** The same as of every list, with the order under the specification's name for it. */
export interface UsersSearch extends Omit<ListSearch<UsersSort>, 'sort'> {
  sortField?: UsersSort | undefined
}

/** What a list of people keeps in its address. */
export function usersSearch(search: Record<string, unknown>): UsersSearch {
  const { sort, ...rest } = listSearch(sorts)({ ...search, sort: search.sortField })
  return { ...rest, sortField: sort }
}

/** The same, and whose people: the service of the tab; all of the organisation without one. */
export function userAdministrationSearch(search: Record<string, unknown>): UsersSearch & { tab?: string | undefined } {
  const tab = String(search.tab)
  return { ...usersSearch(search), tab: /^[0-9a-f-]{36}$/.test(tab) ? tab : undefined }
}
