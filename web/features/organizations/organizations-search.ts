import { listSearch } from '#web/lib/lists/list-search.ts'

/** The search parameters of the list of organisations. */
export const organizationsSearch = listSearch(['name', 'organizationNumber'])
