/** One page of a search: how many there are, and who is on it. */
export interface FoundPage {
  totalCount: number
  ids: string[]
}

/** What common searches found, as long as no list has changed since. */
export interface ListCache {
  /** Is there a page, under whatever version? */
  has(key: string): boolean
  /** The page, if it was found under this version of the lists. */
  get(key: string, version: number): FoundPage | undefined
  set(key: string, version: number, page: FoundPage): void
}

const capacity = 1000

/**
 * Counting thousands of hits again for every look is what makes a search slow, and common searches are few. An entry
 * counts only under the very version of the lists that it was found under, so it is never out of date.
 */
export function createListCache(): ListCache {
  const entries = new Map<string, { version: number; page: FoundPage }>()
  return {
    get(key, version) {
      const entry = entries.get(key)
      if (entry?.version !== version) return undefined
      // Back to the young end: the first key is always the one that was not asked for longest.
      entries.delete(key)
      entries.set(key, entry)
      return entry.page
    },
    set(key, version, page) {
      entries.delete(key)
      entries.set(key, { version, page })
      const oldest = entries.keys().next().value
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
    },
    has: (key) => entries.has(key),
  }
}
