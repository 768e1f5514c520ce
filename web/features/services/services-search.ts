import { sortSearch } from '#web/lib/list-search.ts'

/** The search parameters of the list of services. */
export const servicesSearch = sortSearch(['name', 'url'])
