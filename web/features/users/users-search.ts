import * as z from 'zod/mini'
import { allUserFilters, organizationUserFilters, type UserFilters } from '#contract/users/user-filters.ts'
import { type ListSearch, listSearch } from '#web/lib/lists/list-search.ts'

const sorts = ['email', 'firstName', 'lastName'] as const
export type UsersSort = (typeof sorts)[number]

/** The search parameters of every list, with `sortField` instead of `sort`, and the filters. */
export interface UsersSearch extends Omit<ListSearch<UsersSort>, 'sort'>, UserFilters {
  sortField?: UsersSort | undefined
}

type Shape = Record<string, z.ZodMiniType>

/** Reads the filters of the address. A value that the server would refuse counts as none. */
const filtersIn = (shape: Shape, search: Record<string, unknown>): UserFilters =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.safeParse(schema, search[name]).data]))

/** Without a filter that is not set, to keep addresses and requests short. */
export const givenFilters = ({
  status,
  loginMethod,
  role,
  organizationId,
  serviceId,
  groupId,
  lastActiveBefore,
}: UserFilters) =>
  Object.fromEntries(
    Object.entries({ status, loginMethod, role, organizationId, serviceId, groupId, lastActiveBefore }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as UserFilters

const pageAndSort = (search: Record<string, unknown>): UsersSearch => {
  const { sort, ...rest } = listSearch(sorts)({ ...search, sort: search.sortField })
  return { ...rest, sortField: sort }
}

/** The search parameters of the list of all users. */
export const usersSearch = (search: Record<string, unknown>): UsersSearch => ({
  ...pageAndSort(search),
  ...filtersIn(allUserFilters.shape, search),
})

/**
 * The same of an organisation's list, with the selected tab: the id of a service; without it, all users of the
 * organisation.
 */
export function userAdministrationSearch(search: Record<string, unknown>): UsersSearch & { tab?: string | undefined } {
  const tab = String(search.tab)
  return {
    ...pageAndSort(search),
    ...filtersIn(organizationUserFilters.shape, search),
    tab: /^[0-9a-f-]{36}$/.test(tab) ? tab : undefined,
  }
}
