const accountTabs = ['account', 'password'] as const
export type AccountTab = (typeof accountTabs)[number]

/** What the account page keeps in its address; the first tab needs no mention. */
export const accountSearch = (search: Record<string, unknown>): { tab?: AccountTab } =>
  search.tab === 'password' ? { tab: 'password' } : {}
