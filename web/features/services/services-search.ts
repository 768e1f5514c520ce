import { sortSearch } from '#web/lib/lists/list-search.ts'

/** The search parameters of the list of services. */
export const servicesSearch = sortSearch(['name', 'url'])
