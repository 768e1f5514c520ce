const accountTabs = ['account', 'password'] as const
export type AccountTab = (typeof accountTabs)[number]

interface AccountSearch {
  tab?: AccountTab
}

/** The search parameters of the account page; the default tab is left out. */
export const accountSearch = (search: Record<string, unknown>): AccountSearch => ({
  ...(search.tab === 'password' && { tab: 'password' }),
})
