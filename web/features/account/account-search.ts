const accountTabs = ['account', 'password'] as const
export type AccountTab = (typeof accountTabs)[number]

interface AccountSearch {
  tab?: AccountTab
  /** What was typed before a new sign-in is to be put back. */
  draft?: 'kept'
}

/** What the account page keeps in its address; the first tab needs no mention. */
export const accountSearch = (search: Record<string, unknown>): AccountSearch => ({
  ...(search.tab === 'password' && { tab: 'password' }),
  ...(search.draft === 'kept' && { draft: 'kept' }),
})
