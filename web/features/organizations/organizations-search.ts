import { listSearch } from '#web/lib/list-search.ts'

/** What the list of organisations keeps in its address. */
export const organizationsSearch = listSearch(['name', 'organizationNumber'])
