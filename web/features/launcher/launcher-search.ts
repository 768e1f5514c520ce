/** The search parameters of the launcher. */
export const launcherSearch = (search: Record<string, unknown>): { searchQuery?: string } =>
  typeof search.searchQuery === 'string' && search.searchQuery ? { searchQuery: search.searchQuery } : {}
