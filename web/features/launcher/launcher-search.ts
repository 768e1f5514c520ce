/** What the launcher keeps in its address. */
export const launcherSearch = (search: Record<string, unknown>): { searchQuery?: string } =>
  typeof search.searchQuery === 'string' && search.searchQuery ? { searchQuery: search.searchQuery } : {}
