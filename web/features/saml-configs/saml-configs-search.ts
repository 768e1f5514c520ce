import { sortSearch } from '#web/lib/lists/list-search.ts'

/** What the list of configurations keeps in its address. */
export const samlConfigsSearch = sortSearch(['name', 'domain'])
