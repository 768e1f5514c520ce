import { sortSearch } from '#web/lib/list-search.ts'

/** What the list of configurations keeps in its address. */
export const samlConfigsSearch = sortSearch(['name', 'domain'])
