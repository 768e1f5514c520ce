/**
 * What a list keeps in its address. A default is undefined, so that it is not in the address. The key
 * is set explicitly, because for a missing key the router keeps the value from the address.
 */
export interface ListSearch<Sort extends string> extends SortSearch<Sort> {
  page?: number | undefined
  searchQuery?: string | undefined
}
export interface SortSearch<Sort extends string> {
  sort?: Sort | undefined
  sortDirection?: 'desc' | undefined
}

type Given = Record<string, unknown>

/** Reads the order of a list from its address; a value that nobody offered counts as none. The first sort is the usual one. */
export const sortSearch =
  <Sort extends string>([usual, ...others]: readonly [Sort, ...Sort[]]) =>
  ({ sort, sortDirection }: Given): SortSearch<Sort> => ({
    sort: others.find((one) => one === sort && one !== usual),
    sortDirection: sortDirection === 'desc' ? 'desc' : undefined,
  })

/** The same with the page and what is searched for. */
export const listSearch =
  <Sort extends string>(sorts: readonly [Sort, ...Sort[]]) =>
  (search: Given): ListSearch<Sort> => {
    const page = /^[1-9][0-9]{0,8}$/.test(String(search.page)) ? Number(search.page) : 1
    return {
      page: page > 1 ? page : undefined,
      ...sortSearch(sorts)(search),
      // Longer than this the server does not search for.
      searchQuery: typeof search.searchQuery === 'string' ? search.searchQuery.slice(0, 200) || undefined : undefined,
    }
  }

export interface Order<Sort extends string> {
  key: Sort
  direction: 'asc' | 'desc'
}

/** Another column sorts ascending, the same one the other way round; a direction that was chosen is obeyed. */
export function nextOrder(present: Order<string>, key: string, direction?: 'asc' | 'desc') {
  const next = direction ?? (key === present.key && present.direction === 'asc' ? 'desc' : 'asc')
  return { sort: key, sortDirection: next }
}
