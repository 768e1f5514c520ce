import { sortSearch } from '#web/lib/list-search.ts'

/** What the list of services keeps in its address. */
export const servicesSearch = sortSearch(['name', 'url'])
